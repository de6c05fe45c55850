"""Makes the page of a list: links for the crawl, and what the list says of them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import unescape
from typing import Any

from datahound.model import (
    ENDPOINT,
    LISTED_FILE,
    Entry,
    Link,
    ListedDataset,
    Listing,
    Page,
    QueriedTable,
    Role,
)
from datahound.readers.json_text import count_of
from datahound.settings import MAX_URL_LENGTH
from datahound.text import show_text
from datahound.web.targets import ALL, find_wanted
from datahound.web.types import PAGE_EXTENSIONS, extension_of_format
from datahound.web.urls import extension_of, join

MAX_ENTRIES = 100_000
"""Entries of one answer that are read; the rest are counted."""
_MARKUP = re.compile(r"<[^<>]{0,500}>")
_MAX_TITLE, _MAX_DESCRIPTION, _MAX_LICENCE, _MAX_WORD = 300, 600, 200, 60
_PAGE_FORMATS = frozenset("html htm xhtml webpage page php aspx".split())
_SERVICE = re.compile(
    r"\b(?:w[mfc]s|wmts|wps|tms|sparql|soap|mapserver|featureserver|imageserver)\b", re.IGNORECASE
)
_PERHAPS_SERVICE = re.compile(r"\b(?:api|rest|services?|esri|ogc|arcgis)\b", re.IGNORECASE)
# "ESRI Shapefile" is a file, and so is what comes as "CSV, API".
_FILE_FORMAT = re.compile(
    r"\b(?:shape|shapefiles?|shp|(?:f|geo)?(?:gdb|database)|geopackage|gpkg|grid|(?:geo)?tiff?|km[lz]|"
    r"gml|geojson|[ct]sv|zip|xlsx?|ods|excel|netcdf|dxf|dwg)\b",
    re.IGNORECASE,
)
# An address of an API may end with .json or .xml.
_FILES = find_wanted(frozenset({ALL})).extensions - PAGE_EXTENSIONS - {".json", ".xml", ".txt"}
_SERVICE_ADDRESS = re.compile(
    r"/(?:rest/services/[^?]{0,300}?/(?:Map|Feature|Image)Server(?:/\d+)?/?(?:$|\?f=)|(?:w[mfc]s|ows)/?\?|"
    r"w[mfc]s/?$)|[?&](?:service=w[mfc]t?s|service=csw|request=getlegendgraphic)\b",
    re.IGNORECASE,
)
# With the name of a layer, such a request is whole: its answer is the data.
_DOWNLOAD_REQUEST = re.compile(r"[?&]request=get(?:feature|coverage)(?:&|$)", re.IGNORECASE)
_LAYER = re.compile(r"[?&](?:typenames?|coverage(?:id)?)=[^&#]", re.IGNORECASE)

_NO_DATASET = ListedDataset("")
"""For entries without a dataset, which would give them its title, date and licence."""


class ListingMaker:
    """Collects what a list names, dataset by dataset."""

    def __init__(self, url: str, platform: str, request: str = "") -> None:
        self.url = url
        self.platform = platform
        self._request = request
        self._links: dict[str, Link] = {}
        self._next: dict[str, Link] = {}
        self._endpoints: dict[str, Link] = {}
        self._datasets: list[ListedDataset] = []
        self._entries: dict[str, Entry] = {}
        self._tables: list[QueriedTable] = []
        self._left_out = 0

    def begin_dataset(
        self,
        name: Any,
        title: str = "",
        *,
        description: str = "",
        licence: str = "",
        modified: str = "",
        page: str = "",
        publisher: str = "",
    ) -> None:
        """Begin a dataset, which the entries that follow belong to."""
        self.end_dataset()
        url = self.join(page) or ""
        title = clean_text(title, _MAX_TITLE)
        self._datasets.append(
            ListedDataset(
                clean_text(str(name), _MAX_TITLE) or url or title or str(len(self._datasets)),
                title,
                clean_text(description, _MAX_DESCRIPTION),
                clean_text(licence, _MAX_LICENCE),
                clean_text(modified, _MAX_WORD),
                url,
                publisher=clean_text(publisher, _MAX_LICENCE),
            )
        )

    def end_dataset(self) -> None:
        """Add the link to the page of the dataset; it waits if the dataset has files."""
        if not self._datasets or not (dataset := self._datasets[-1]).page:
            return
        mark = f"{self.platform} @landing" if dataset.files else f"@page {self.platform}"
        self._add_link(dataset.page, mark, dataset.title)

    def add(
        self,
        reference: str,
        title: str = "",
        *,
        format: str = "",  # noqa: A002
        **facts: Any,
    ) -> None:
        """Add an address: a file, a page or a service, going by its format and its address."""
        self.add_as(guess_role(reference, format), reference, title, format=format, **facts)

    def add_as(
        self,
        role: Role,
        reference: str,
        title: str = "",
        *,
        format: str = "",  # noqa: A002
        size: Any = None,
        modified: str = "",
        licence: str = "",
    ) -> None:
        """Add an address that is known to be a file, a page or a service."""
        facts = {"format": format, "size": size, "modified": modified, "licence": licence}
        entry = self._note_entry(role, reference, title, **facts)
        if entry is not None:
            self._link_entry(entry)

    def mention_file(self, reference: str, title: str = "", **facts: Any) -> None:
        """Note a file without a link to it, because another answer leads to all of it."""
        if self._note_entry(Role.FILE, reference, title, **facts) is not None:
            self._count_file()

    def _note_entry(
        self,
        role: Role,
        reference: str,
        title: str,
        *,
        format: str = "",  # noqa: A002
        size: Any = None,
        modified: str = "",
        licence: str = "",
    ) -> Entry | None:
        url = self.join(reference)
        if url is None or (url in self._entries and self._entries[url].role is Role.FILE):
            return None
        if len(self._entries) >= MAX_ENTRIES:
            self._left_out += 1
            return None
        dataset = self._datasets[-1] if self._datasets else _NO_DATASET
        entry = self._entries[url] = Entry(
            url,
            role,
            # Many portals name the dataset only.
            clean_text(title, _MAX_TITLE) or dataset.title,
            clean_text(format, _MAX_WORD),
            count_of(size) or None,
            clean_text(modified, _MAX_WORD) or dataset.modified,
            clean_text(licence, _MAX_LICENCE) or dataset.licence,
            len(self._datasets) - 1 if self._datasets else None,
        )
        return entry

    def _count_file(self) -> None:
        # Kept up to date, since `end_dataset` asks whether it has files.
        if self._datasets:
            dataset = self._datasets[-1]
            self._datasets[-1] = replace(dataset, files=dataset.files + 1)

    def _link_entry(self, entry: Entry) -> None:
        if entry.role is Role.FILE:
            self._count_file()
            extension = extension_of_format(entry.format) or extension_of(entry.url)
            mark = f"{LISTED_FILE}{self.platform} {extension[1:]}".rstrip()
            self._add_link(entry.url, mark, entry.title)
        elif entry.role is Role.PAGE:
            self._add_link(entry.url, f"@page {self.platform}", entry.title)

    def add_page(
        self, reference: str, title: str = "", mark: str = "", *, modified: str = ""
    ) -> None:
        """Add a page, or with a mark a link that waits as others of its source do."""
        url = self.join(reference)
        if url is None:
            return
        self._add_link(url, mark or f"@page {self.platform}", title)
        if modified and len(self._entries) < MAX_ENTRIES:
            changed = clean_text(modified, _MAX_WORD)
            self._entries.setdefault(url, Entry(url, Role.PAGE, modified=changed))

    def add_endpoint(self, reference: str, request: str, title: str = "") -> None:
        """Add another answer of the platform."""
        url = self.join(reference)
        if url is not None and url != self.url:
            self._endpoints[url] = self._make_endpoint(url, request, title)

    def add_table(
        self,
        reference: str,
        title: str,
        size: int,
        axes: Iterable[tuple[str, Sequence[str]]],
        most: int | None = None,
    ) -> None:
        """Add a table that queries are posted for."""
        url = self.join(reference)
        if url is not None and size:
            place = len(self._datasets) - 1 if self._datasets else None
            selected = tuple((name, tuple(values)) for name, values in axes)
            title = clean_text(title, _MAX_TITLE)
            self._tables.append(QueriedTable(url, title, size, selected, place, most))

    def follow_with(self, reference: str, request: str = "") -> None:
        """Add the next page of this list."""
        url = self.join(reference)
        if url is not None and url != self.url:
            self._next[url] = self._make_endpoint(url, request or self._request, "next page")

    def make_page(
        self, title: str = "", total: Any = None, remark: str = "", max_cells: int | None = None
    ) -> Page:
        """The page of the list."""
        self.end_dataset()
        listing = Listing(
            self.platform,
            self._request,
            count_of(total),
            tuple(self._datasets),
            tuple(self._entries.values()),
            remark,
        )
        return Page(
            self.url,
            clean_text(title, _MAX_TITLE),
            tuple(self._links.values()),
            endpoints=tuple(self._endpoints.values()),
            next_pages=tuple(self._next.values()),
            links_left_out=self._left_out,
            listing=listing,
            tables=tuple(self._tables),
            max_cells=max_cells,
        )

    def join(self, reference: str) -> str | None:
        """The URL of a reference in the list, or None."""
        reference = reference.strip()
        if not reference or len(reference) > MAX_URL_LENGTH or "{" in reference:
            return None
        return join(self.url, reference)

    def _add_link(self, url: str, tag_path: str, title: str) -> None:
        if len(self._links) < MAX_ENTRIES:
            self._links.setdefault(url, Link(url, tag_path, title[:200], "", self.url))
        else:
            self._left_out += 1

    def _make_endpoint(self, url: str, request: str, title: str) -> Link:
        return make_endpoint(url, self.platform, request, title, self.url)


def make_endpoint(url: str, platform: str, request: str, title: str, found_on: str) -> Link:
    """A link to an endpoint, which is requested for what it lists."""
    return Link(url, f"{ENDPOINT}{platform} {request}", clean_text(title, 200), "", found_on)


def guess_role(reference: str, format: str) -> Role:  # noqa: A002
    """What an address is, going by the format that a catalogue declares for it."""
    if is_download_request(reference):
        return Role.FILE
    if _SERVICE_ADDRESS.search(reference):
        return Role.SERVICE
    words = format.replace("_", " ")
    is_service = _SERVICE.search(words) or (
        _PERHAPS_SERVICE.search(words) and not _FILE_FORMAT.search(words)
    )
    if is_service and not _names_file(reference):
        return Role.SERVICE
    extension = extension_of_format(format)[1:]
    if extension in _PAGE_FORMATS or format.strip().lower() in ("web page", "link", "url", "www"):
        return Role.PAGE
    return Role.FILE


def _names_file(reference: str) -> bool:
    # The base does not matter: only the end of the path is looked at.
    url = join("http://localhost/", reference)
    return url is not None and extension_of(url) in _FILES


def is_download_request(reference: str) -> bool:
    """Whether an address of a WFS or WCS asks for the data of a layer.

    >>> is_download_request("/wfs?service=WFS&request=GetFeature&typeName=a&outputFormat=csv")
    True
    >>> is_download_request("/wfs?service=WFS&request=GetCapabilities")
    False
    """
    return bool(_DOWNLOAD_REQUEST.search(reference) and _LAYER.search(reference))


def clean_text(text: str, most: int) -> str:
    """One printable line without markup."""
    if not text:
        return ""
    if "<" in text:
        text = _MARKUP.sub(" ", text[: most * 20])
    if "&" in text:
        text = unescape(text[: most * 20])
    return show_text(text[: most * 20], most)
