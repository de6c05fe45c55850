"""ERDDAP: its tables of datasets; a table is a file, a grid without limits may be endless."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from datahound.model import Page, Role
from datahound.readers.json_text import dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "erddap"
PAGE_SIZE = 1000
_CLOSED = ("no", "login", "graphs")


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "tabledap", f"{base}/erddap/tabledap/index.json?page=1&itemsPerPage={PAGE_SIZE}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    names, rows = dig(data, "table", "columnNames"), dig(data, "table", "rows")
    if not (isinstance(names, list) and isinstance(rows, list)):
        return None
    entries = [
        dict(zip(map(str, names), row, strict=False)) for row in rows if isinstance(row, list)
    ]
    if "Dataset ID" in names or "datasetID" in names:
        return _read_list(url, entries)
    if "Attribute Name" in names and "/info/" in url:
        return _read_info(url, entries)
    if "Last modified" in names and "/files/" in url:
        return _read_folder(url, entries)
    return None


def _read_list(url: str, rows: list[dict[str, Any]]) -> Page:
    maker = ListingMaker(url, NAME, "datasets")
    for row in rows:
        table, grid = text_of(row.get("tabledap")), text_of(row.get("griddap"))
        maker.begin_dataset(
            text_of(row.get("Dataset ID")) or text_of(row.get("datasetID")),
            text_of(row.get("Title")) or text_of(row.get("title")),
            description=text_of(row.get("Summary")) or text_of(row.get("summary")),
            publisher=text_of(row.get("Institution")) or text_of(row.get("institution")),
        )
        # The server asks for a login, or gives pictures only.
        if text_of(row.get("Accessible")) in _CLOSED:
            continue
        if table:
            maker.add_as(Role.FILE, f"{table}.csv", format="CSV")
        elif grid:
            # Without limits the answer is all there is, so its format is left to the user.
            maker.add_as(Role.FILE, f"{grid}.nc", format="NetCDF")
    size, page = number_in(url, "itemsPerPage", PAGE_SIZE), number_in(url, "page", 1)
    # The answer has no total; a page behind the last one is an error, which ends the listing.
    if len(rows) >= size and "page=" in url:
        maker.follow_with(with_query(url, page=page + 1))
    return maker.make_page("", len(rows))


def _read_info(url: str, rows: list[dict[str, Any]]) -> Page:
    maker = ListingMaker(url, NAME, "info")
    base, _, rest = url.partition("/info/")
    name = rest.partition("/")[0]
    said = {
        text_of(row.get("Attribute Name")): text_of(row.get("Value"))
        for row in rows
        if row.get("Variable Name") == "NC_GLOBAL"
    }
    is_grid = any(row.get("Row Type") == "dimension" for row in rows)
    maker.begin_dataset(
        name,
        said.get("title", name),
        description=said.get("summary", ""),
        licence=said.get("license", ""),
        publisher=said.get("institution", ""),
    )
    kind, extension = ("griddap", "nc") if is_grid else ("tabledap", "csv")
    maker.add_as(Role.FILE, f"{base}/{kind}/{quote(name)}.{extension}", format=extension)
    return maker.make_page(said.get("title", name), 1)


def _read_folder(url: str, rows: list[dict[str, Any]]) -> Page:
    """The source files of a dataset; names of folders end with a slash."""
    maker = ListingMaker(url, NAME, "files")
    folder = url.partition("?")[0].rpartition("/")[0]
    for row in rows:
        name = text_of(row.get("Name"))
        address = f"{folder}/{quote(name)}"
        if name.endswith("/"):
            maker.add_endpoint(f"{address}.json", "files", name)
        elif name:
            maker.add_as(Role.FILE, address, name, size=row.get("Size"))
    return maker.make_page("", len(rows))


PLATFORM = Platform(NAME, "ERDDAP", read_json=read, endpoints=endpoints, signs=(Sign(b"/erddap/"),))
