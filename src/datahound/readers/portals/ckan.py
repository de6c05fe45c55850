"""CKAN and DKAN: `package_search` lists datasets with all their files."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from datahound.model import Page
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "ckan"
PAGE_SIZE = 1000
"""What the software allows at most; a portal may give fewer."""
_DEFAULT_SIZE = 10
# In the order of CKAN's own pages, which show what a resource without a name is said to be.
_TITLES = ("name", "name_translated", "title", "description")


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "package_search", f"{base}/api/3/action/package_search?rows={PAGE_SIZE}&start=0"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict):
        return None
    # Version 3 wraps every answer: {"success": true, "result": ...}.
    if "success" not in data:
        return _read_old(url, data)
    # A copy of the API in PHP writes the word.
    if data["success"] not in (True, "true"):
        error = text_of(dig(data, "error", "message")) or text_of(dig(data, "error", "__type"))
        return ListingMaker(url, NAME, "error").make_page(remark=error or "an error")
    result = data.get("result")
    if isinstance(result, list):
        return _read_list(url, result)
    if not isinstance(result, dict):
        return None
    if isinstance(result.get("results"), list):
        return _read_search(url, result)
    packages = list(dicts_of(result.get("packages")))
    if packages:
        maker = ListingMaker(url, NAME, "packages")
        for package in packages:
            _read_dataset(maker, package)
        return maker.make_page(text_of(result.get("title")), result.get("package_count"))
    return _read_one(url, result)


def _read_one(url: str, result: dict[str, Any]) -> Page | None:
    """A dataset, or one of its files."""
    is_dataset = isinstance(result.get("resources"), list | dict)
    if not is_dataset and not ("url" in result and "format" in result):
        return None
    maker = ListingMaker(url, NAME, "package_show" if is_dataset else "resource_show")
    if is_dataset:
        _read_dataset(maker, result)
    else:
        _add_resource(maker, result)
    return maker.make_page(text_of(result.get("title")) or text_of(result.get("name")), 1)


def _read_old(url: str, data: dict[str, Any]) -> Page | None:
    """Versions 1 and 2 of the API, which have no envelope around their results."""
    results = data.get("results")
    if "/search/dataset" in url and isinstance(results, list):
        maker = ListingMaker(url, NAME, "search")
        base = base_before(url, "/api/")
        for result in results:
            if isinstance(result, dict):
                _read_dataset(maker, result)
            elif name := text_of(result):
                _add_name(maker, f"{base}/api/3/action/", name)
        return maker.make_page("", data.get("count"))
    return _read_one(url, data) if "ckan_url" in data else None


def _read_list(url: str, result: list[Any]) -> Page | None:
    """Datasets without a count, or their names alone."""
    # DKAN puts the list into another one.
    if result and isinstance(result[0], list):
        result = result[0]
    if result and all(isinstance(name, str) for name in result):
        if "package_list" not in url:
            return None
        maker = ListingMaker(url, NAME, "package_list")
        for name in result:
            _add_name(maker, url.partition("package_list")[0], name)
        return maker.make_page("", len(result))
    datasets = [d for d in dicts_of(result) if isinstance(d.get("resources"), list)]
    if not datasets:
        return None
    is_one = "package_show" in url
    maker = ListingMaker(url, NAME, "package_show" if is_one else "package_list")
    for dataset in datasets:
        _read_dataset(maker, dataset)
    limit = number_in(url, "limit", 0)
    # A full page of a list without a count: there may be more.
    if limit and len(datasets) >= limit:
        maker.follow_with(with_query(url, offset=number_in(url, "offset", 0) + len(datasets)))
    return maker.make_page("", len(datasets) if is_one else None)


def _add_name(maker: ListingMaker, actions: str, name: str) -> None:
    maker.add_endpoint(f"{actions}package_show?id={quote(name, safe='')}", "package_show", name)


def _read_search(url: str, result: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "package_search")
    datasets = list(dicts_of(result["results"]))
    for dataset in datasets:
        if "resources" not in dataset and "url" in dataset and "format" in dataset:
            _add_resource(maker, dataset)
        else:
            _read_dataset(maker, dataset)
    start, total = number_in(url, "start", 0), count_of(result.get("count"))
    # A portal may give fewer than were asked for.
    shown = len(datasets) or number_in(url, "rows", _DEFAULT_SIZE)
    if datasets and total is not None and start + shown < total:
        asked = number_in(url, "rows", _DEFAULT_SIZE)
        step = shown if shown < asked and "rows=" in url else max(shown, min(asked, PAGE_SIZE))
        maker.follow_with(with_query(url, start=start + step))
    return maker.make_page("", total)


def _read_dataset(maker: ListingMaker, dataset: dict[str, Any]) -> None:
    name = text_of(dataset.get("name")) or text_of(dataset.get("id"))
    maker.begin_dataset(
        name,
        text_of(dataset.get("title")) or text_of(dataset.get("title_translated")) or name,
        description=text_of(dataset.get("notes")) or text_of(dataset.get("notes_translated")),
        licence=text_of(dataset.get("license_title")) or text_of(dataset.get("license_id")),
        modified=text_of(dataset.get("metadata_modified")),
        page=f"{base_before(maker.url, '/api/')}/dataset/{name}" if name else "",
        publisher=text_of(dig(dataset, "organization", "title")) or text_of(dataset.get("author")),
    )
    for resource in dicts_of(dataset.get("resources")):
        _add_resource(maker, resource)


def _add_resource(maker: ListingMaker, resource: dict[str, Any]) -> None:
    # Kept in the answers of old versions, with an address that fails.
    if resource.get("state") == "deleted":
        return
    url = text_of(resource.get("url"))
    if resource.get("datastore_active") is True and (not url or "_datastore_only" in url):
        # It has no file of its own: its table is written out when it is asked for.
        dump = f"{base_before(maker.url, '/api/')}/datastore/dump/{text_of(resource.get('id'))}"
        resource, url = {**resource, "format": "CSV", "mimetype": ""}, dump
    maker.add(
        url,
        next((text for name in _TITLES if (text := text_of(resource.get(name)))), ""),
        format=text_of(resource.get("format")) or text_of(resource.get("mimetype")),
        size=resource.get("size") or resource.get("byte_size"),
        modified=text_of(resource.get("last_modified")) or text_of(resource.get("modified")),
        licence=text_of(resource.get("license")),
    )


PLATFORM = Platform(
    NAME,
    "CKAN",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b'content="ckan ', "data-site-root"),
        Sign(b"/api/3/action/package_"),
    ),
    headers=(
        ("x-generator", "ckan"),
        ("set-cookie", "ckan="),
    ),
)
