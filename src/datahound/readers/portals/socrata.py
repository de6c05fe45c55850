"""Socrata: the catalogue of a domain; a table has its rows as CSV."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, with_query
from datahound.readers.portals.platform import Platform, Sign
from datahound.web.urls import host_of

NAME = "socrata"
PAGE_SIZE = 1000
_MAX_ENTRIES = 10_000
"""The service answers no page beyond this many entries."""
# The "4x4" identifiers, which no other platform has.
_VIEW = re.compile(r"[0-9a-z]{4}-[0-9a-z]{4}")
# Charts, maps and stories show the rows of such a table.
_TABLES = frozenset({"dataset", "filter"})


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    host = host_of(base + "/")
    query = f"domains={host}&search_context={host}&limit={PAGE_SIZE}&offset=0"
    yield "catalog", f"{base}/api/catalog/v1?{query}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if "/api/views" in url:
        return _read_views(url, data)
    if not isinstance(data, dict) or "resultSetSize" not in data:
        return None
    maker = ListingMaker(url, NAME, "catalog")
    results = list(dicts_of(data.get("results")))
    for result in results:
        _read_result(maker, result)
    total, start = count_of(data["resultSetSize"]), number_in(url, "offset", 0)
    size = number_in(url, "limit", len(results) or 1)
    if results and total and start + size < min(total, _MAX_ENTRIES):
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
        publisher=text_of(dig(result, "resource", "attribution"))
        or text_of(dig(result, "metadata", "domain")),
    )
    root = base_before(maker.join(page) or maker.url)
    _add_asset(maker, root, name, kind, text_of(dig(result, "resource", "blob_mime_type")))


def _add_asset(maker: ListingMaker, root: str, name: str, kind: str, mime_type: str) -> None:
    if kind in _TABLES and name:
        address = f"{root}/api/views/{name}/rows.csv?accessType=DOWNLOAD"
        maker.add_as(Role.FILE, address, format="CSV")
    elif kind == "file" and name:
        address = f"{root}/download/{name}/{mime_type or 'application/octet-stream'}"
        maker.add_as(Role.FILE, address, format=mime_type)


def _read_views(url: str, data: Any) -> Page | None:
    """Views as the portal itself describes them: one, or a page of them."""
    # The view of an id is one object, the list an array of them: `dicts_of` takes both.
    views = [view for view in dicts_of(data) if _VIEW.fullmatch(text_of(view.get("id")))]
    if not views and data != []:
        return None
    is_list = isinstance(data, list)
    maker = ListingMaker(url, NAME, "views" if is_list else "view")
    root = base_before(url)
    for view in views:
        name = text_of(view["id"])
        maker.begin_dataset(
            name,
            text_of(view.get("name")),
            description=text_of(view.get("description")),
            licence=text_of(dig(view, "license", "name")) or text_of(view.get("license")),
            publisher=text_of(view.get("attribution")),
            page=f"{root}/d/{name}",
        )
        _add_asset(maker, root, name, _kind_of(view), text_of(view.get("blobMimeType")))
        _add_attachments(maker, f"{root}/api/views/{name}", view)
    limit = number_in(url, "limit", 0)
    if is_list and limit and len(data) >= limit:
        maker.follow_with(with_query(url, page=number_in(url, "page", 1) + 1))
    return maker.make_page("", None if is_list else 1)


def _add_attachments(maker: ListingMaker, address: str, view: dict[str, Any]) -> None:
    """The documents that a view has beside its rows."""
    for attachment in dicts_of(dig(view, "metadata", "attachments")):
        place = text_of(attachment.get("assetId")) or text_of(attachment.get("blobId"))
        name = text_of(attachment.get("filename")) or text_of(attachment.get("name"))
        if place:
            query = f"download=true&filename={quote(name)}"
            maker.add_as(Role.FILE, f"{address}/files/{quote(place)}?{query}", name)


def _kind_of(view: dict[str, Any]) -> str:
    """What an asset is, in the words of the catalogue."""
    kind = text_of(view.get("viewType")) or text_of(view.get("assetType"))
    is_table = kind == "tabular" or "dataUri" in view
    return "dataset" if is_table else "file" if kind == "blobby" else kind


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
