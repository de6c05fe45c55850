"""CSW and GeoNetwork: metadata records of ISO 19139, ISO 19115-3 and Dublin Core, with links."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, query_of, with_query
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.portals.records import ISO_ROOTS, add_linked, read_record
from datahound.readers.xml_tree import Element

NAME = "csw"
ROOTS = frozenset({"getrecordsresponse", "getrecordbyidresponse", "exceptionreport"})
# The three sets of elements of Dublin Core in CSW 2.0.2.
_DUBLIN_CORE = ("record", "summaryrecord", "briefrecord")
_START = "startPosition"
_AROUND = ("requestid", "searchstatus", "searchresults")
_ISO, _PLAIN = "http://www.isotc211.org/2005/gmd", "http://www.opengis.net/cat/csw/2.0.2"
_QUERY = (
    "service=CSW&version=2.0.2&request=GetRecords&typeNames=gmd:MD_Metadata&resultType=results"
    f"&elementSetName=full&outputSchema={_ISO}"
    "&startPosition=1&maxRecords=100"
)


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal; the base is the address of the interface."""
    yield "GetRecords", f"{base}?{_QUERY}"


def read_xml(url: str, root: Element) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if root.name in ISO_ROOTS:
        maker = ListingMaker(url, NAME, "record")
        read_record(maker, root)
        return maker.make_page("", 1)
    if root.name not in ROOTS:
        return None
    if root.name == "exceptionreport":
        return _read_error(url, root)
    results = root.first("searchresults")
    maker = ListingMaker(url, NAME, "GetRecords")
    # GetRecordById has no search results around its records.
    holder = results if results is not None else root
    records = [child for child in holder.children if child.name not in _AROUND]
    for record in records:
        if record.name in _DUBLIN_CORE:
            _read_dublin_core(maker, record)
        else:
            read_record(maker, record)
    total = results.get("numberofrecordsmatched") if results is not None else None
    following = count_of(results.get("nextrecord")) if results is not None else None
    # Some servers name a next record behind the last one.
    is_more = following is not None and following <= (count_of(total) or 0)
    # OGC's services read the names of parameters in any case.
    start = next((name for name in query_of(url) if name.lower() == _START.lower()), _START)
    # 0 means the end (CSW 2.0.2); a number that does not grow would be a loop.
    if is_more and following and records and following > number_in(url, start, 1):
        maker.follow_with(with_query(url, **{start: following}))
    return maker.make_page("", total)


def _read_error(url: str, root: Element) -> Page:
    maker = ListingMaker(url, NAME, "error")
    if _ISO in url:
        # Not every server has the records of ISO; those of Dublin Core are mandatory.
        plain = with_query(url, typeNames="csw:Record", outputSchema=_PLAIN)
        maker.add_endpoint(plain, "GetRecords")
    return maker.make_page(remark=root.read("exception")[:200] or "an error")


def _read_dublin_core(maker: ListingMaker, record: Element) -> None:
    title = record.read("title")
    maker.begin_dataset(
        record.read("identifier"),
        title,
        description=record.read("abstract") or record.read("description"),
        licence=record.read("rights"),
        modified=record.read("modified") or record.read("date"),
        publisher=record.read("publisher") or record.read("creator"),
    )
    for field in record.all("uri", "references", "source"):
        if not field.text.startswith("http"):
            continue
        protocol = (field.get("protocol") or field.get("scheme")).upper()
        if protocol:
            add_linked(maker, field.text, protocol, field.get("name") or title)
        else:
            maker.add(field.text, title, format=record.read("format"))


def read_json(url: str, data: Any) -> Page | None:
    """A search of GeoNetwork: of version 3, or of version 4, which answers as its index does."""
    if "/srv/" not in url or not isinstance(data, dict):
        return None
    hits = [hit["_source"] for hit in dicts_of(dig(data, "hits", "hits")) if "_source" in hit]
    if hits:
        maker = ListingMaker(url, NAME, "search")
        for hit in filter(lambda hit: isinstance(hit, dict), hits):
            _read_hit(maker, hit)
        counted = dig(data, "hits", "total")
        return maker.make_page("", dig(counted, "value") if isinstance(counted, dict) else counted)
    if not isinstance(data.get("summary"), dict):
        return None
    maker = ListingMaker(url, NAME, "q")
    records = list(dicts_of(data.get("metadata")))
    for record in records:
        _read_summary(maker, record)
    total = count_of(data["summary"].get("@count"))
    first, last = (count_of(data.get(name)) or 0 for name in ("@from", "@to"))
    if records and total and last < total and "to=" in url:
        size = max(1, last - first + 1)
        maker.follow_with(with_query(url, **{"from": last + 1, "to": last + size}))
    return maker.make_page("", total)


def _read_hit(maker: ListingMaker, hit: dict[str, Any]) -> None:
    maker.begin_dataset(
        text_of(hit.get("uuid")) or text_of(hit.get("metadataIdentifier")),
        _in_default(hit.get("resourceTitleObject")),
        description=_in_default(hit.get("resourceAbstractObject")),
        modified=text_of(hit.get("dateStamp")),
    )
    for link in dicts_of(hit.get("link")):
        address = _in_default(link.get("urlObject")) or text_of(link.get("url"))
        title = _in_default(link.get("nameObject")) or text_of(link.get("name"))
        add_linked(maker, address, text_of(link.get("protocol")).upper(), title)


def _in_default(value: Any) -> str:
    return text_of(dig(value, "default")) or text_of(value)


def _read_summary(maker: ListingMaker, record: dict[str, Any]) -> None:
    """A record of version 3, whose links are texts with bars between their fields."""
    maker.begin_dataset(
        text_of(dig(record, "geonet:info", "uuid")),
        text_of(record.get("title")) or text_of(record.get("defaultTitle")),
        description=text_of(record.get("abstract")) or text_of(record.get("defaultAbstract")),
    )
    links = record.get("link")
    for link in links if isinstance(links, list) else [links]:
        name, description, address, protocol, *_ = [*text_of(link).split("|"), "", "", "", ""]
        add_linked(maker, address, protocol.upper(), name or description)


_GEONETWORK = re.compile(rb"""["']([^"'<>\s?]{0,500}/srv/[a-z]{3}/)""", re.IGNORECASE)


_INTERFACE = re.compile(
    rb"""["']([^"'<>\s?]{1,500})\?[^"'<>\s]{0,300}?service=csw\b""", re.IGNORECASE
)


def find(view: PageView) -> Iterator[Found]:
    """The interface that a link on the page leads to, or that of a GeoNetwork beside its pages."""
    if b"service=csw" in view.lower and (match := _INTERFACE.search(view.head)):
        base = view.join(match[1])
        yield from ((request, url, "service=csw") for request, url in endpoints(base) if base)
        return
    if b"geonetwork" in view.lower and (match := _GEONETWORK.search(view.head)):
        base = view.join(match[1] + b"csw")
        yield from ((request, url, "/srv/") for request, url in endpoints(base) if base)


PLATFORM = Platform(
    NAME, "CSW", read_json=read_json, read_xml=read_xml, endpoints=endpoints, find=find
)
