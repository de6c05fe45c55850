"""SDMX: the flows of a registry, in SDMX-ML and SDMX-JSON; each flow is asked for as a whole."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.xml_tree import Element

NAME = "sdmx"
ROOTS = frozenset(
    {"structure", "genericdata", "structurespecificdata", "error", "generictimeseriesdata"}
)
_ADDRESS = re.compile(r"https?://[^\s<>\"']{1,2000}")


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "dataflow", f"{base}/dataflow/all/all/latest?detail=allstubs"


def read(url: str, data: Any) -> Page | None:
    """The page of SDMX-JSON, if it is that."""
    flows = dig(data, "data", "dataflows") or dig(data, "structure", "dataflows")
    references = dig(data, "references")
    if isinstance(references, dict) and "dataflow" in url.lower():
        # The first version of SDMX-JSON names its structures by their URN.
        flows = [flow for urn, flow in references.items() if "Dataflow=" in urn]
    if isinstance(flows, list):
        maker = ListingMaker(url, NAME, "dataflow")
        for flow in dicts_of(flows):
            names = flow.get("names") or flow.get("name")
            _add_flow(maker, flow.get("agencyID"), flow.get("id"), flow.get("version"), names)
        return maker.make_page("", len(flows))
    # The data of a flow: understood, so that it is not mistaken for a page.
    if isinstance(dig(data, "dataSets"), list) and isinstance(dig(data, "structure"), dict):
        return ListingMaker(url, NAME, "data").make_page(text_of(data["structure"].get("name")))
    return None


def read_xml(url: str, root: Element) -> Page | None:
    """The page of SDMX-ML, if it is that."""
    # `structure` and `error` are common names: SDMX-ML always has a header.
    if root.name not in ROOTS or root.first("header") is None:
        return None
    maker = ListingMaker(url, NAME, "dataflow")
    # Constraints refer to flows by elements of the same name, without an id.
    flows = [flow for flow in root.find_all("dataflow") if flow.get("id")]
    for flow in flows:
        names = {name.get("lang"): name.text for name in flow.all("name")}
        _add_flow(maker, flow.get("agencyid"), flow.get("id"), flow.get("version"), names)
    for message in root.find_all("message"):
        # Too much for one answer: the file is made later, under the address that is named here.
        if message.get("code") == "413":
            _add_later(maker, message)
    structures = sum(1 for _ in root.find_all("datastructure"))
    return maker.make_page(remark="", total=len(flows) or structures or None)


def _add_later(maker: ListingMaker, message: Element) -> None:
    for text in message.all("text"):
        for address in _ADDRESS.findall(text.text):
            maker.add_as(Role.FILE, address, "asynchronous result", format="ZIP")


def _add_flow(maker: ListingMaker, agency: Any, name: Any, version: Any, title: Any) -> None:
    flow, owner = text_of(name), text_of(agency)
    if not flow:
        return
    maker.begin_dataset(f"{owner}:{flow}({text_of(version)})", text_of(title))
    if "/structure/dataflow" in maker.url:
        # Version 3 of the interface: a registry of structures may have no data beside it.
        return
    base = base_before(maker.url, "/dataflow")
    # What the interfaces below /rest understand; others answer in their own format.
    format_ = "?format=csv" if "/rest" in maker.url else ""
    declared = "CSV" if format_ else "SDMX-ML"
    reference = f"{base}/data/{owner},{flow},{text_of(version)}/all{format_}"
    if not format_:
        reference = f"{base}/data/{flow}"
    maker.add_as(Role.FILE, reference, format=declared)


_LINK = re.compile(
    rb"""["']([^"'<>\s?]{0,500}/rest(?:/v\d)?)/(?:dataflow|datastructure|data)/""", re.IGNORECASE
)


def find(view: PageView) -> Iterator[Found]:
    """The registry that a page links to an answer of."""
    is_there = b"/rest/" in view.lower and (b"sdmx" in view.lower or b"/dataflow/" in view.lower)
    if is_there and (match := _LINK.search(view.head)):
        base = view.join(match[1])
        yield from ((request, url, "/rest/") for request, url in endpoints(base) if base)


PLATFORM = Platform(NAME, "SDMX", read_json=read, read_xml=read_xml, endpoints=endpoints, find=find)
