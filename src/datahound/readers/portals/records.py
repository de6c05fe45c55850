"""Metadata records in XML: ISO 19139 and 19115-3, DCAT, and the links of any other vocabulary."""

from collections.abc import Iterator
from urllib.parse import unquote_plus

from datahound.model import Role
from datahound.readers.linked_data import LinkedCatalogue
from datahound.readers.listing import ListingMaker, guess_role, is_download_request
from datahound.readers.portals.dcat_ap import read_rdf
from datahound.readers.portals.paging import query_of
from datahound.readers.xml_tree import Element
from datahound.web.targets import ALL, find_wanted
from datahound.web.types import PAGE_EXTENSIONS
from datahound.web.urls import extension_of

# ISO 19139, ISO 19115-2 and ISO 19115-3.
ISO_ROOTS = frozenset({"md_metadata", "mi_metadata"})
_FILES = find_wanted(frozenset({ALL})).extensions
# An identifier that ends in .html leads to the page of a record.
_DATA = _FILES - PAGE_EXTENSIONS
_ADDRESS = ("http://", "https://")
_REFERENCES = ("href", "ref", "url", "resource")
# What they lead to is about the data, or its picture.
_OTHER = ("rights", "license", "licence", "thumbnail", "schema", "relatedidentifier", "metadata")
_TRANSLATIONS = ("pt_freetext", "pt_freeurl")


def read_record(maker: ListingMaker, record: Element, name: str = "", modified: str = "") -> None:
    """Add a record's dataset and links; `name` and `modified` come from outside the record."""
    if record.name in ISO_ROOTS:
        _read_iso(maker, record)
        return
    if record.name == "rdf" and LinkedCatalogue(read_rdf(record)).read_into(maker):
        return
    _read_other(maker, record, name, modified)


def _read_iso(maker: ListingMaker, record: Element) -> None:
    found = next(record.find_all("citation"), None)
    abstract = next(record.find_all("abstract"), None)
    limits = next((e for e in record.find_all("uselimitation", "otherconstraints")), None)
    maker.begin_dataset(
        record.read("fileidentifier") or record.read("metadataidentifier"),
        _read_plain(found.first("ci_citation", "title")) if found is not None else "",
        description=_read_plain(abstract),
        licence=_read_plain(limits),
        modified=record.read("datestamp"),
        publisher=next((_read_plain(e) for e in record.find_all("organisationname")), ""),
    )
    for resource in _resources(record):
        title = _read_plain(resource.first("name")) or _read_plain(resource.first("description"))
        address = _read_plain(resource.first("linkage"))
        add_linked(maker, address, _read_plain(resource.first("protocol")).upper(), title)


def _read_plain(element: Element | None) -> str:
    """The text of an element in the language of its record, without the translations beside it."""
    if element is None:
        return ""
    own = [child for child in element.children if child.name not in _TRANSLATIONS]
    text = " ".join([element.text, *(part.text for child in own for part in child.walk())])
    return " ".join(text.split()) or element.read()


def _resources(record: Element) -> Iterator[Element]:
    """The online resources of a record; those of its contacts are not data."""
    waiting = [record]
    while waiting:
        element = waiting.pop()
        if element.name == "ci_onlineresource":
            yield element
        elif element.name not in ("contactinfo", "ci_responsibleparty", "ci_responsibility"):
            # Reversed, so that the stack gives them in the order of the document.
            waiting += reversed(element.children)


def add_linked(
    maker: ListingMaker, address: str, protocol: str, title: str, declared: str = ""
) -> None:
    """Add an address by its protocol, where the record names one."""
    url = maker.join(address)
    role = guess_role(address, declared)
    if is_download_request(address):
        declared = declared or _name_format(address)
    # WMS and WFS answer to parameters that the record does not have.
    elif protocol.startswith(("OGC:", "ESRI:")) and "DOWNLOAD" not in protocol:
        role = Role.SERVICE
    elif "DOWNLOAD" in protocol and role is not Role.SERVICE:
        role = Role.FILE
    # Without a protocol, only the name can say that it is a file: most links are web pages.
    elif role is Role.FILE and not (url and extension_of(url) in _FILES):
        role = Role.PAGE
    maker.add_as(role, address, title, format=declared)


def _name_format(address: str) -> str:
    """The format that a request of a WFS asks for."""
    asked = {name.lower(): value for name, value in query_of(address).items()}
    return unquote_plus(asked.get("outputformat", "")) or "GML"


def _read_other(maker: ListingMaker, record: Element, name: str, modified: str) -> None:
    """A record of any vocabulary: the first fields of the names that most of them share."""
    fields = list(record.walk())
    title = _first(fields, "title")
    maker.begin_dataset(
        name or _first(fields, "identifier"),
        title,
        description=_first(fields, "description", "abstract"),
        licence=_first(fields, "rights", "license"),
        modified=modified or _first(fields, "modified", "date"),
        publisher=_first(fields, "publisher"),
    )
    for field in fields:
        is_identifier = field.name in ("identifier", "resourceidentifier")
        if is_identifier and field.text.startswith(_ADDRESS):
            maker.add_as(Role.FILE if _is_data(maker, field.text) else Role.PAGE, field.text, title)
    for address, format_, size in _list_files(maker, fields):
        maker.add_as(Role.FILE, address, title, format=format_, size=size)


def _first(fields: list[Element], *names: str) -> str:
    for name in names:
        for field in fields:
            if field.name == name and field.text:
                return field.text
    return ""


def _list_files(maker: ListingMaker, fields: list[Element]) -> Iterator[tuple[str, str, str]]:
    """Addresses with their formats and sizes: of elements with a type, or that end like data."""
    typed: set[str] = set()
    for field in fields:
        if field.name.startswith(_OTHER):
            continue
        kind = field.get("mimetype")
        # METS declares the type around the address.
        for holder in (field, *field.children) if kind else (field,):
            for address in _addresses(holder):
                if address not in typed and (kind or _is_data(maker, address)):
                    typed.add(address)
                    yield address, kind, field.get("size")


def _addresses(field: Element) -> Iterator[str]:
    if field.text.startswith(_ADDRESS) and " " not in field.text:
        yield field.text
    for name in _REFERENCES:
        if (reference := field.get(name)).startswith(_ADDRESS):
            yield reference


def _is_data(maker: ListingMaker, address: str) -> bool:
    url = maker.join(address)
    return url is not None and extension_of(url) in _DATA
