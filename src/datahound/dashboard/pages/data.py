"""The pages over the catalogue: search, browse, one dataset with its tables."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from datahound.catalog.catalog import Catalog, Entry, Facets, Hits, Query, Table
from datahound.dashboard.cache import AnswerCache
from datahound.dashboard.pages.lists import show_targets
from datahound.dashboard.request import PageRequest, Parameters
from datahound.errors import UserError
from datahound.report.charts import scale_bars

PAGE = 50
SORTS = ("relevance", "title", "newest", "size")
_SECTIONS = 12


def read_query(request: Parameters) -> Query:
    """The catalogue query in a page's parameters."""
    format_ = request.text("format")
    sort = request.text("sort")
    return Query(
        text=request.text("q"),
        formats=(format_,) if format_ else (),
        first_year=request.number("from"),
        last_year=request.number("to"),
        section=request.text("section") or None,
        statistics_only=request.text("statistics") == "1",
        family=request.number("family"),
        sort=sort if sort in SORTS else "relevance",
    )


def show_data(request: PageRequest, cache: AnswerCache) -> dict[str, Any]:
    """The datasets that match a search, with facets; without a catalogue, the targets."""
    folder = request.crawl.folder.path
    if not Catalog.exists(folder):
        return show_targets(request) | {
            "catalogue": False,
            "total": len(request.crawl.counters.counts.found),
        }
    with request.crawl.open_database() as connection:
        status = request.crawl.read_status(connection)
    query = read_query(request.parameters)
    offset = request.number("offset") or 0
    with Catalog(folder) as catalog:
        found = catalog.search(query, offset, PAGE)
        # The order changes no count, so that all orders share one cached answer.
        kinds = replace(query, sort="")
        database = folder / "catalog.db"
        facets = cache.get(database, kinds, lambda: catalog.facets(kinds))
    return {
        **status,
        "catalogue": True,
        "query": asdict(query),
        **view_hits(found, offset),
        "entries": [_make_entry(entry) for entry in found.entries],
        **view_facets(facets),
    }


def view_hits(found: Hits, offset: int) -> dict[str, Any]:
    """How many datasets were found, and where the pages before and after this one begin."""
    following = offset + PAGE
    return {
        "total": found.total,
        "remark": found.remark,
        "offset": offset,
        "next": following if following < found.total else None,
        "previous": max(0, offset - PAGE) if offset else None,
    }


def view_facets(facets: Facets) -> dict[str, Any]:
    """The counts beside a list of datasets, as bars."""
    return {
        "formats": scale_bars(list(facets.formats.items())[:_SECTIONS]),
        "sections": scale_bars(list(facets.sections.items())[:_SECTIONS]),
        "years": scale_bars(list(facets.years.items())),
        "statistics": facets.statistics,
    }


def show_dataset(request: PageRequest) -> dict[str, Any]:
    """One dataset: its metadata, its sources, and a preview of one of its tables."""
    with request.crawl.open_database() as connection:
        status = request.crawl.read_status(connection)
    with Catalog(request.crawl.folder.path) as catalog:
        entry = catalog.entry(request.part)
        if entry is None:
            raise UserError(f"there is no dataset {request.part} in this catalogue")
        tables = catalog.tables(entry.id)
        family = catalog.search(Query(family=entry.family, sort="title"), 0, 12)
    number = request.number("table") or 0
    shown = next((table for table in tables if table.number == number), None)
    return {
        **status,
        "entry": _make_entry(entry),
        # A workbook may have hundreds of sheets, each with several tables.
        "tables": [_make_table(table) for table in tables[:200]],
        "table": _make_table(shown) | _describe_inside(shown) if shown else None,
        "relatives": [_make_entry(other) for other in family.entries if other.id != entry.id],
    }


def locate_dataset(folder: Path, url: str) -> int | None:
    """The number of a URL's dataset in the catalogue of a crawl; None if it has none."""
    # A crawl may be shipped before its catalogue.
    if not url or not Catalog.exists(folder):
        return None
    with Catalog(folder) as catalog:
        entry = catalog.entry_of(url)
    return entry.id if entry else None


def _make_entry(entry: Entry) -> dict[str, Any]:
    return asdict(entry)


def _make_table(table: Table) -> dict[str, Any]:
    names = ("id", "number", "place", "title", "rows", "columns", "number_share", "statistics")
    return {name: getattr(table, name) for name in (*names, "first_year", "last_year")}


def _describe_inside(table: Table) -> dict[str, Any]:
    fields = [asdict(field) for field in table.fields]
    return {"fields": fields, "sample": table.sample, "unit": table.unit, "notes": table.notes}
