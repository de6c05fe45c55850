"""udata: datasets with their resources, and the next page as an address."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform, Sign

NAME = "udata"
PAGE_SIZE = 100


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "datasets", f"{base}/api/1/datasets/?page=1&page_size={PAGE_SIZE}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict) or "/api/" not in url:
        return None
    if isinstance(data.get("data"), list) and {"next_page", "total"} <= data.keys():
        maker = ListingMaker(url, NAME, "datasets")
        for entry in dicts_of(data["data"]):
            if "/resources" in url:
                _add_resource(maker, entry)
            else:
                _read_dataset(maker, entry)
        maker.follow_with(text_of(data["next_page"]))
        return maker.make_page("", data["total"])
    if isinstance(data.get("resources"), list) and "slug" in data and "title" in data:
        maker = ListingMaker(url, NAME, "dataset")
        _read_dataset(maker, data)
        return maker.make_page(text_of(data["title"]), 1)
    return None


def _read_dataset(maker: ListingMaker, dataset: dict[str, Any]) -> None:
    maker.begin_dataset(
        text_of(dataset.get("id")) or text_of(dataset.get("slug")),
        text_of(dataset.get("title")),
        description=text_of(dataset.get("description")),
        licence=text_of(dataset.get("license")),
        modified=text_of(dataset.get("last_modified")),
        page=text_of(dataset.get("page")),
        publisher=text_of(dig(dataset, "organization", "name")),
    )
    # A list in version 1 of the API.
    rest = dataset.get("resources")
    if isinstance(rest, dict) and text_of(rest.get("href")):
        # Version 2 of the API has the resources of a dataset in an answer of their own.
        maker.add_endpoint(text_of(rest["href"]), "resources")
        return
    for resource in dicts_of(rest):
        _add_resource(maker, resource)


def _add_resource(maker: ListingMaker, resource: dict[str, Any]) -> None:
    maker.add(
        text_of(resource.get("url")) or text_of(resource.get("latest")),
        text_of(resource.get("title")),
        format=text_of(resource.get("format")) or text_of(resource.get("mime")),
        size=resource.get("filesize") or dig(resource, "extras", "analysis:content-length"),
        modified=text_of(resource.get("last_modified")),
    )


PLATFORM = Platform(
    NAME,
    "udata",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b'content="udata'),
        Sign(b"udata-"),
    ),
)
