"""Datasette: its databases and their tables, each as CSV."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform, Sign

NAME = "datasette"
_ASCII = 128


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "databases", f"{base}/-/databases.json"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if url.partition("?")[0].endswith("/-/databases.json"):
        databases = data if isinstance(data, list) else dig(data, "databases")
        return _read_databases(url, databases) if isinstance(databases, list) else None
    if isinstance(dig(data, "databases"), dict) and "metadata" in data:
        named = [value for value in data["databases"].values() if isinstance(value, dict)]
        return _read_databases(url, named)
    tables = dig(data, "tables")
    if isinstance(tables, list) and "database" in data and "queries" in data:
        return _read_tables(url, data, list(dicts_of(tables)))
    return None


def _read_databases(url: str, databases: list[Any]) -> Page:
    maker = ListingMaker(url, NAME, "databases")
    base = url.partition("?")[0].partition("/-/")[0].removesuffix("/.json")
    for database in dicts_of(databases):
        name = text_of(database.get("route")) or text_of(database.get("name"))
        # `_internal` and `_memory` are the software's own.
        if name and not name.startswith("_"):
            maker.add_endpoint(f"{base}/{_encode_name(name)}.json", "tables", name)
    return maker.make_page("", len(databases))


def _read_tables(url: str, data: dict[str, Any], tables: list[dict[str, Any]]) -> Page:
    maker = ListingMaker(url, NAME, "tables")
    base = url.partition("?")[0].removesuffix(".json")
    licence = text_of(dig(data, "metadata", "license"))
    views = _list_views(data)
    for table in [*tables, *views]:
        name = text_of(table.get("name"))
        if name and not table.get("hidden"):
            maker.begin_dataset(name, name, licence=licence, page=f"{base}/{_encode_name(name)}")
            # `_stream` and `_size` lift the limit of 1,000 rows per answer.
            maker.add_as(
                Role.FILE,
                f"{base}/{_encode_name(name)}.csv?_stream=on&_size=max",
                name,
                format="CSV",
            )
    return maker.make_page(text_of(data["database"]), len(tables) + len(views))


def _list_views(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The views of a database, whose rows come as those of tables do."""
    views = data.get("views")
    # Old versions list the names alone.
    named = views if isinstance(views, list) else []
    return [view if isinstance(view, dict) else {"name": view} for view in named]


def _encode_name(name: str) -> str:
    """A name as Datasette writes it in addresses: a tilde where others have a percent sign."""
    plain = (
        chr(byte)
        if byte < _ASCII and (chr(byte).isalnum() or chr(byte) in "-_")
        else f"~{byte:02X}"
        for byte in name.encode()
    )
    return "".join("+" if part == "~20" else part for part in plain)


PLATFORM = Platform(
    NAME,
    "Datasette",
    read_json=read,
    endpoints=endpoints,
    signs=(Sign(b"datasette.io"),),
    headers=(("server", "datasette"),),
)
