"""THREDDS and Hyrax: catalogues of catalogues, and datasets that a file server has."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from datahound.model import Page, Role
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.xml_tree import Element

NAME = "thredds"
ROOTS = frozenset({"catalog"})
_NUMBER = re.compile(r"\d{1,12}(?:\.\d{1,12})?")


class _Inherited(NamedTuple):
    """What datasets inherit from those around them."""

    service: str = ""
    licence: str = ""


def read_xml(url: str, root: Element) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if root.name not in ROOTS or not any(root.all("service", "dataset", "catalogref")):
        return None
    maker = ListingMaker(url, NAME, "catalog")
    services = _find_services(root)
    count = 0
    waiting = [(child, _Inherited()) for child in reversed(root.children)]
    while waiting:
        element, inherited = waiting.pop()
        if element.name == "catalogref":
            maker.add_endpoint(element.get("href"), "catalog", element.get("title"))
        # Datasets nest to any depth, so a stack takes the place of recursion.
        elif element.name == "dataset":
            inherited = _inherit(element, inherited)
            count += _read_dataset(maker, element, inherited, services)
            waiting += [(child, inherited) for child in reversed(element.children)]
    return maker.make_page(root.get("name"), count)


def _find_services(root: Element) -> dict[str, str]:
    """The address of the file server behind each service, by name; '' where it has none."""
    found: dict[str, str] = {}
    for service in root.find_all("service"):
        kinds = [service, *service.find_all("service")]
        bases = [
            s.get("base") for s in kinds if s.get("servicetype").lower() in ("httpserver", "http")
        ]
        found[service.get("name")] = bases[0] if bases else ""
    return found


def _inherit(dataset: Element, around: _Inherited) -> _Inherited:
    service, licence = dataset.read("servicename") or dataset.get("servicename"), ""
    for metadata in dataset.all("metadata"):
        service = service or metadata.read("servicename")
        licence = licence or metadata.read("rights") or _read_rights(metadata)
    licence = _read_rights(dataset) or licence
    return _Inherited(service or around.service, licence or around.licence)


def _read_rights(element: Element) -> str:
    """What a dataset says of its rights in documentation, which has types."""
    documents = element.all("documentation")
    return next((d.read() for d in documents if d.get("type").lower() == "rights"), "")


def _read_dataset(
    maker: ListingMaker, dataset: Element, inherited: _Inherited, services: dict[str, str]
) -> bool:
    """Add the file of a dataset; returns False if it is only a folder."""
    path = dataset.get("urlpath")
    accesses = [(a.get("servicename"), a.get("urlpath")) for a in dataset.all("access")]
    # An access element per service: the file server's is the file, the rest are the same data.
    found = [(services.get(name, ""), place) for name, place in accesses]
    if path:
        found.append((services.get(inherited.service, ""), path))
    elif not accesses:
        return False
    name = dataset.get("name")
    maker.begin_dataset(
        dataset.get("id") or path or name,
        name,
        licence=inherited.licence,
        modified=dataset.read("date"),
    )
    for base, place in found:
        if base and place:
            maker.add_as(
                Role.FILE,
                base + place.removeprefix("/"),
                name,
                format=_format_of(place),
                size=_size_of(dataset),
            )
            break
    return True


_UNITS = {"bytes": 1, "kbytes": 10**3, "mbytes": 10**6, "gbytes": 10**9, "tbytes": 10**12}


def _size_of(dataset: Element) -> int | None:
    """The size in bytes, of which the catalogue may give three digits."""
    element = dataset.first("datasize")
    unit = _UNITS.get(element.get("units").lower()) if element is not None else None
    if element is None or unit is None or not _NUMBER.fullmatch(element.text):
        return None
    return round(float(element.text) * unit)


def _format_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2] if "." in path.rpartition("/")[2] else ""


def find(view: PageView) -> Iterator[Found]:
    """The XML beside a page of a catalogue, or the catalogue at the top."""
    if "/thredds/" in view.url:
        page = view.url.partition("?")[0]
        top = f"{page.partition('/thredds/')[0]}/thredds/catalog.xml"
        is_catalogue = page.endswith("/catalog.html")
        yield "catalog", page.removesuffix(".html") + ".xml" if is_catalogue else top, "path"


PLATFORM = Platform(NAME, "THREDDS", read_xml=read_xml, find=find)
