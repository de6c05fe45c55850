"""OAI-PMH: records lead to pages, rarely to files; a token leads to the next page."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from datahound.model import Page
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.portals.records import read_record
from datahound.readers.xml_tree import Element

NAME = "oai-pmh"
_ARGUMENTS = frozenset("verb metadataPrefix from until set resumptionToken identifier".split())
ROOTS = frozenset({"oai-pmh"})
_LISTS = ("listrecords", "listidentifiers", "listsets", "getrecord", "identify")
_VERBS = {"listidentifiers": "ListIdentifiers", "listsets": "ListSets"}


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal; the base is the address of the interface."""
    joint = "&" if "?" in base else "?"
    yield "ListRecords", f"{base}{joint}verb=ListRecords&metadataPrefix=oai_dc"


def read_xml(url: str, root: Element) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if root.name not in ROOTS:
        return None
    inner = next(root.all(*_LISTS), None)
    if inner is None:
        return _read_error(url, root.first("error"))
    maker = ListingMaker(url, NAME, inner.name)
    for record in list(inner.all("record")):
        _read_record(maker, record)
    # The answer to the usual first question: what follows is the list.
    if inner.name == "identify":
        maker.add_endpoint(next(endpoints(url.partition("?")[0]))[1], "ListRecords")
    token = inner.first("resumptiontoken")
    total = token.get("completelistsize") if token is not None else ""
    if token is not None and token.text not in ("", "0"):
        request = root.first("request")
        asked = request.get("verb") if request is not None else ""
        verb = asked or _VERBS.get(inner.name, "ListRecords")
        maker.follow_with(_resume_with(url, verb, token.text))
    return maker.make_page(inner.read("repositoryname"), total)


def _read_error(url: str, error: Element | None) -> Page:
    maker = ListingMaker(url, NAME, "error")
    code = error.get("code") if error is not None else ""
    if code == "badArgument" and "resumptionToken=" in url and "metadataPrefix=" not in url:
        # Some servers ask for the prefix beside a token, which the protocol forbids.
        maker.add_endpoint(f"{url}&metadataPrefix=oai_dc", "ListRecords")
    return maker.make_page(remark=f"{code or 'an error'}")


def _resume_with(url: str, verb: str, token: str) -> str:
    """The request for the next part of a list."""
    # The protocol forbids other arguments of its own beside a token; the rest is the address.
    base, _, query = url.partition("#")[0].partition("?")
    own = [part for part in query.split("&") if part.partition("=")[0] not in _ARGUMENTS]
    form = [*filter(None, own), f"verb={verb}", f"resumptionToken={quote(token, safe='')}"]
    return f"{base}?{'&'.join(form)}"


def _read_record(maker: ListingMaker, record: Element) -> None:
    header, body = record.first("header"), record.first("metadata")
    # OAI-PMH 2.0, 2.5.1: deleted records stay listed, without metadata.
    if header is None or body is None or header.get("status") == "deleted":
        return
    payload = body.children[0] if body.children else body
    read_record(maker, payload, header.read("identifier"), header.read("datestamp"))


_LINK = re.compile(
    rb"""["']([^"'<>\s?]{1,1000}(?:\?[^"'<>\s?]{1,300})?)[?&](?:amp;)?verb="""
    rb"""(?:identify|listrecords|listsets)""",
    re.IGNORECASE,
)


def find(view: PageView) -> Iterator[Found]:
    """The interface that a link on the page leads to."""
    if b"verb=" in view.lower and (match := _LINK.search(view.head)):
        base = view.join(match[1])
        yield from ((request, url, "?verb=") for request, url in endpoints(base) if base)


PLATFORM = Platform(NAME, "OAI-PMH", read_xml=read_xml, endpoints=endpoints, find=find)
