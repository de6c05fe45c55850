"""PxWeb: the tables of both versions of its API, and the queries that yield a table.

Version 1 answers a query that is posted; version 2 has it in the address, and where that would
become too long, posted as well.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any
from urllib.parse import quote, unquote

from datahound.model import Page, QueriedTable, Role, name_query
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, query_of, with_query
from datahound.readers.portals.platform import Found, PageView, Platform, TableQuery
from datahound.readers.portals.tables import split_axes
from datahound.web.urls import canonical

NAME = "pxweb"
PAGE_SIZE = 1000
# Proxies and servers accept longer ones, but not all of them.
_LONGEST_ADDRESS = 2000
# A bound on memory; `tables.add_queries` decides how many parts are sensible.
_MAX_PARTS = 5000

Chosen = Sequence[tuple[str, Sequence[str] | None]]
"""The values of each variable that are asked for; None for all."""


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if isinstance(data, list):
        return _read_level(url, data)
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("tables"), list) and isinstance(data.get("page"), dict):
        return _read_tables(url, data)
    if isinstance(data.get("folderContents"), list):
        return _read_menu(url, data)
    if isinstance(data.get("links"), list) and {"id", "label"} <= data.keys() and "/tables/" in url:
        maker = ListingMaker(url, NAME, "about")
        _read_table(maker, data)
        return maker.make_page(text_of(data["label"]), 1)
    # Version 2 has the first name, version 1 the others.
    if "maxDataCells" in data or {"maxValues", "maxCells"} & data.keys():
        limits = (count_of(data.get(name)) for name in ("maxDataCells", "maxCells", "maxValues"))
        limit = min(filter(None, limits), default=None)
        return ListingMaker(url, NAME, "config").make_page(max_cells=limit)
    if data.get("class") == "dataset" and isinstance(data.get("size"), list):
        return _read_stat(url, data)
    if isinstance(data.get("variables"), list) and "title" in data and "/api/" in url:
        return _read_variables(url, data)
    return None


def _read_tables(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "tables")
    maker.add_endpoint(f"{base_before(url, '/tables')}/config", "config")
    tables = list(dicts_of(data["tables"]))
    for table in tables:
        _read_table(maker, table)
    page, size = count_of(data["page"].get("pageNumber")) or 1, len(tables)
    pages = count_of(data["page"].get("totalPages"))
    links = [*dicts_of(data["page"].get("links")), *dicts_of(data.get("links"))]
    following = next((text_of(x.get("href")) for x in links if x.get("rel") == "next"), "")
    if following:
        maker.follow_with(following)
    elif pages is not None and size and page < pages:
        name = "pagenumber" if "pagenumber" in query_of(url) else "pageNumber"
        maker.follow_with(with_query(url, **{name: number_in(url, name, page) + 1}))
    return maker.make_page("", data["page"].get("totalElements"))


def _read_menu(url: str, data: dict[str, Any]) -> Page:
    """A folder of the menu of version 2: tables, and folders that lead to others."""
    maker = ListingMaker(url, NAME, "navigation")
    tables = 0
    for entry in dicts_of(data["folderContents"]):
        kind = text_of(entry.get("objectType")) or text_of(entry.get("type"))
        if kind.lower() == "table":
            tables += 1
            _read_table(maker, entry)
        for link in _links(entry) if "folder" in kind.lower() else ():
            if link.get("rel") == "self":
                maker.add_endpoint(
                    text_of(link.get("href")), "navigation", text_of(entry.get("label"))
                )
    return maker.make_page(text_of(data.get("label")), tables)


def _read_table(maker: ListingMaker, table: dict[str, Any]) -> None:
    name = text_of(table.get("id"))
    if not name:
        return
    maker.begin_dataset(
        name,
        text_of(table.get("label")),
        description=text_of(table.get("description")),
        modified=text_of(table.get("updated")),
    )
    links = {text_of(link.get("rel")): text_of(link.get("href")) for link in _links(table)}
    if "data" in links:
        format_ = query_of(links["data"]).get("outputFormat", "json-stat2")
        format_ = "JSON" if "json" in format_ else format_
        # By itself it has a part of the table; its description tells how to ask for all of it.
        if "metadata" in links:
            maker.mention_file(links["data"], format=format_)
        else:
            maker.add_as(Role.FILE, links["data"], format=format_)
    if "metadata" in links:
        maker.add_endpoint(links["metadata"], "metadata", text_of(table.get("label")))


def _links(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The links of a table; of those in several languages, the table's own."""
    for link in dicts_of(table.get("links")):
        if link.get("rel") != "alternate":
            yield link


def _read_stat(url: str, data: dict[str, Any]) -> Page | None:
    """JSON-stat: the description of a table, or its data."""
    sizes = [count_of(size) or 0 for size in data["size"]]
    names = [text_of(name) for name in data.get("id") or [] if isinstance(name, str)]
    # The data itself, which is a file: there is nothing to list.
    if "/metadata" not in url:
        return ListingMaker(url, NAME, "data").make_page(text_of(data.get("label")), prod(sizes))
    maker = ListingMaker(url, NAME, "metadata")
    head, _, query = url.partition("?")
    # The name that the list of tables has for it.
    name = unquote(head.rpartition("/metadata")[0].rpartition("/")[2])
    maker.begin_dataset(
        name,
        text_of(data.get("label")),
        description=text_of(data.get("note")),
        modified=text_of(data.get("updated")),
    )
    # Without a selection the answer has a part of the table, chosen by the portal.
    query = f"{query}&" if query else ""
    address = f"{head.replace('/metadata', '/data')}?{query}outputFormat=csv"
    axes = [
        (axis, _read_codes(dig(data, "dimension", axis, "category", "index"))) for axis in names
    ]
    # A description whose codes are not all there can't be split into parts.
    if [len(values) for _, values in axes] == sizes:
        maker.add_table(address, text_of(data.get("label")), prod(sizes), axes)
    return maker.make_page(text_of(data.get("label")), 1)


def _read_codes(index: Any) -> list[str]:
    """The codes of a dimension in their order: JSON-stat has them as a list, or with places."""
    if isinstance(index, dict):
        return sorted(index, key=lambda code: count_of(index[code]) or 0)
    return [text_of(code) for code in index] if isinstance(index, list) else []


def _read_variables(url: str, data: dict[str, Any]) -> Page | None:
    """The description of a table in version 1."""
    variables = list(dicts_of(data["variables"]))
    axes = []
    for variable in variables:
        values = variable.get("values")
        codes = [text_of(code) for code in values] if isinstance(values, list) else []
        axes.append((text_of(variable.get("code")), codes))
    if not axes or not all(name and codes and all(codes) for name, codes in axes):
        return None
    maker = ListingMaker(url, NAME, "table")
    title = text_of(data.get("title"))
    maker.begin_dataset(url.partition("?")[0], title)
    maker.add_table(url.partition("?")[0], title, cells_of(data), axes)
    return maker.make_page(title, 1)


def write_queries(table: QueriedTable, most: int) -> Iterator[TableQuery]:
    """The queries for a table: for all values of each variable, or for parts of them."""
    parts = list(islice(split_axes(table.axes, most), _MAX_PARTS))
    write = _write_address if "/data" in table.url else _write_post
    for number, part in enumerate(parts, 1):
        chosen = [
            # All values are asked for by "*", which keeps the query short.
            (name, None if len(values) == len(every) else values)
            for (name, values), (_, every) in zip(part, table.axes, strict=True)
        ]
        shown = f"part {number} of {len(parts)}" if len(parts) > 1 else ""
        yield TableQuery(write(table.url, chosen), "CSV", shown)


def _write_post(url: str, chosen: "Chosen") -> str:
    """A query of version 1."""
    query = [
        {
            "code": name,
            "selection": {"filter": "all", "values": ["*"]}
            if values is None
            else {"filter": "item", "values": list(values)},
        }
        for name, values in chosen
    ]
    return name_query(url, _dump({"query": query, "response": {"format": "csv"}}))


def _write_address(url: str, chosen: "Chosen") -> str:
    """A query of version 2."""
    selected = (
        f"valueCodes[{quote(name)}]={quote(','.join(values or '*'), safe=',*')}"
        for name, values in chosen
    )
    address = f"{url}&{'&'.join(selected)}"
    if len(address) <= _LONGEST_ADDRESS:
        return canonical(address) or address
    selection = [{"variableCode": name, "valueCodes": list(v or "*")} for name, v in chosen]
    return name_query(url, _dump({"selection": selection}))


def _dump(query: object) -> str:
    return json.dumps(query, ensure_ascii=False, separators=(",", ":"))


def _read_level(url: str, entries: list[Any]) -> Page | None:
    """A level of version 1: folders and tables."""
    # "l" is a level, "t" a table, "h" a headline.
    kinds = {text_of(entry.get("type")) for entry in dicts_of(entries)}
    is_level = bool(kinds) and kinds <= {"l", "t", "h"} and "/api/" in url
    is_root = bool(entries) and all("dbid" in entry for entry in dicts_of(entries))
    if not (is_level or is_root):
        return None
    maker = ListingMaker(url, NAME, "level")
    address = url.partition("?")[0].rstrip("/")
    language = _API_1.match(url)
    if language:
        maker.add_endpoint(f"{language[0]}?config", "config")
    tables = 0
    for entry in dicts_of(entries):
        name = text_of(entry.get("id")) or text_of(entry.get("dbid"))
        kind, title = text_of(entry.get("type")), text_of(entry.get("text"))
        if not name or kind == "h":
            continue
        tables += kind == "t"
        maker.add_endpoint(f"{address}/{quote(name)}", "table" if kind == "t" else "level", title)
    return maker.make_page("", tables)


def cells_of(data: Any) -> int:
    """The cells of a table that JSON-stat describes, or the variables of version 1."""
    sizes = dig(data, "size")
    if isinstance(sizes, list):
        return prod(count_of(size) or 0 for size in sizes)
    variables = dicts_of(dig(data, "variables"))
    return prod(len(v["values"]) for v in variables if isinstance(v.get("values"), list))


_ROOT = re.compile(rb"""["'](?:[^"'<>\s?]{0,500})?(/[\w-]{0,30}pxweb)/""", re.IGNORECASE)
_API_1 = re.compile(r"https?://[^?#]{1,500}/api/v1/[^/?#]{1,20}(?=/|$|\?)", re.IGNORECASE)
_LANGUAGE = re.compile(r"/pxweb/(?:api/v1/)?([a-z]{2})/", re.IGNORECASE)
_MARK_2 = b"pxweb2"


def find(view: PageView) -> Iterator[Found]:
    """Version 2 beside the pages of the new interface, version 1 below those of the old one."""
    # The interface of version 2 is a script that asks the API at the root of its host.
    if _MARK_2 in view.lower:
        base = view.join(b"/").rstrip("/")
        yield "tables", f"{base}/api/v2/tables?pageSize={PAGE_SIZE}&pageNumber=1", "pxweb2"
        return
    path = "/" + view.url.split("/", 3)[3].partition("?")[0]
    before, mark, _ = path.lower().partition("/pxweb/")
    if mark:
        root = path[: len(before) + len(mark) - 1].encode()
    elif b"pxweb" in view.lower and (match := _ROOT.search(view.head)):
        root = match[1]
    else:
        return
    language = _LANGUAGE.search(view.url)
    yield "level", f"{view.join(root)}/api/v1/{language[1] if language else 'en'}/", "pxweb"


PLATFORM = Platform(NAME, "PxWeb", read_json=read, find=find, write_queries=write_queries)
