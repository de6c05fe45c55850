"""Socrata: the catalogue of a domain; a table has its rows as CSV."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, with_query
from datahound.readers.portals.platform import Platform, Sign
from datahound.web.urls import host_of

NAME = "socrata"
PAGE_SIZE = 1000
_MOST = 10_000
"""The service answers no page beyond this many entries."""
_TABLES = frozenset({"dataset", "filter"})


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    host = host_of(base + "/")
    query = f"domains={host}&search_context={host}&limit={PAGE_SIZE}&offset=0"
    yield "catalog", f"{base}/api/catalog/v1?{query}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict) or "resultSetSize" not in data:
        return None
    maker = ListingMaker(url, NAME, "catalog")
    results = list(dicts_of(data.get("results")))
    for result in results:
        _read_result(maker, result)
    total, start = count_of(data["resultSetSize"]), number_in(url, "offset", 0)
    size = number_in(url, "limit", len(results) or 1)
    if results and total and start + size < min(total, _MOST):
        maker.follow_with(with_query(url, offset=start + len(results)))
    return maker.make_page("", total)


def _read_result(maker: ListingMaker, result: dict[str, Any]) -> None:
    name = text_of(dig(result, "resource", "id"))
    kind = text_of(dig(result, "resource", "type"))
    page = text_of(result.get("permalink")) or text_of(result.get("link"))
    maker.begin_dataset(
        name,
        text_of(dig(result, "resource", "name")),
        description=text_of(dig(result, "resource", "description")),
        licence=text_of(dig(result, "metadata", "license")),
        modified=text_of(dig(result, "resource", "data_updated_at"))
        or text_of(dig(result, "resource", "updatedAt")),
        page=page,
    )
    root = "/".join((maker.join(page) or maker.url).split("/", 3)[:3])
    if kind in _TABLES and name:
        address = f"{root}/api/views/{name}/rows.csv?accessType=DOWNLOAD"
        maker.add_as(Role.FILE, address, format="CSV")
    elif kind == "file" and name:
        maker.add_as(Role.FILE, f"{root}/download/{name}/application/octet-stream")


PLATFORM = Platform(
    NAME,
    "Socrata",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b"powered by socrata"),
        Sign(b"socrata.com"),
    ),
    headers=(
        ("x-socrata-requestid", ""),
        ("x-socrata-region", ""),
    ),
)
