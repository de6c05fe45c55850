"""The pages over the catalogue: search, browse, one dataset with its tables."""

from dataclasses import asdict, replace
from typing import Any

from datahound.catalog.catalog import Catalog, Entry, Query, Table
from datahound.dashboard.cache import Memory
from datahound.dashboard.charts import bars
from datahound.dashboard.pages.lists import targets
from datahound.dashboard.request import Asked
from datahound.errors import UserError

PAGE = 50
SORTS = ("relevance", "title", "newest", "size")
_SECTIONS = 12


def query_of(asked: Asked) -> Query:
    """What is looked for, from a page's parameters."""
    format_ = asked.text("format")
    sort = asked.text("sort")
    return Query(
        text=asked.text("q"),
        formats=(format_,) if format_ else (),
        first_year=asked.number("from"),
        last_year=asked.number("to"),
        section=asked.text("section") or None,
        statistics_only=asked.text("statistics") == "1",
        family=asked.number("family"),
        sort=sort if sort in SORTS else "relevance",
    )


def data(asked: Asked, memory: Memory) -> dict[str, Any]:
    """The datasets that answer a search, with counts of their kinds; or the bare targets."""
    folder = asked.crawl.folder.path
    if not Catalog.exists(folder):
        return targets(asked) | {"catalogue": False, "total": len(asked.crawl.digest.counts.found)}
    with asked.crawl.opened() as connection:
        standing = asked.crawl.standing(connection)
    query = query_of(asked)
    offset = asked.number("offset") or 0
    with Catalog(folder) as catalog:
        found = catalog.search(query, offset, PAGE)
        kinds = replace(query, sort="")
        database = folder / "catalog.db"
        facets = memory.recall(database, kinds, lambda: catalog.facets(kinds))
    following = offset + PAGE
    return {
        **standing,
        "catalogue": True,
        "query": asdict(query),
        "total": found.total,
        "offset": offset,
        "next": following if following < found.total else None,
        "previous": max(0, offset - PAGE) if offset else None,
        "entries": [_entry(entry) for entry in found.entries],
        "formats": bars(list(facets.formats.items())[:_SECTIONS]),
        "sections": bars(list(facets.sections.items())[:_SECTIONS]),
        "years": bars(list(facets.years.items())),
        "statistics": facets.statistics,
    }


def dataset(asked: Asked) -> dict[str, Any]:
    """One dataset: what it is, where it came from, and a look at one of its tables."""
    with asked.crawl.opened() as connection:
        standing = asked.crawl.standing(connection)
    with Catalog(asked.crawl.folder.path) as catalog:
        entry = catalog.entry(asked.part)
        if entry is None:
            raise UserError(f"there is no dataset {asked.part} in this catalogue")
        tables = catalog.tables(entry.id)
        family = catalog.search(Query(family=entry.family, sort="title"), 0, 12)
    number = asked.number("table") or 0
    shown = next((table for table in tables if table.number == number), None)
    return {
        **standing,
        "entry": _entry(entry),
        "tables": [_table(table) for table in tables[:200]],
        "table": _table(shown) | _inside(shown) if shown else None,
        "relatives": [_entry(other) for other in family.entries if other.id != entry.id],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return asdict(entry)


def _table(table: Table) -> dict[str, Any]:
    names = ("id", "number", "place", "title", "rows", "columns", "number_share", "statistics")
    return {name: getattr(table, name) for name in (*names, "first_year", "last_year")}


def _inside(table: Table) -> dict[str, Any]:
    return {"fields": [asdict(field) for field in table.fields], "sample": table.sample}
