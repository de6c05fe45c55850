"""What a module of a platform declares: how it is recognized, asked and read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from datahound.model import Page, QueriedTable
from datahound.readers.xml_tree import Element
from datahound.web.urls import join

Found = tuple[str, str, str]
"""The name of a request, its URL, and what revealed it."""


class Sign(NamedTuple):
    """A text in lower case that pages of a platform have."""

    mark: bytes
    base: str = ""
    """The attribute that has the base of the API; '' where that is the root of the host."""


class TableQuery(NamedTuple):
    """A request that yields a table, or a part of it."""

    name: str
    """The name of the request: a URL, perhaps with what is posted to it."""
    format: str
    part: str = ""
    """Which part it is, for people; '' for the whole table."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as recognition sees it."""

    url: str
    head: bytes
    lower: bytes
    """The head in lower case."""
    headers: Mapping[str, str]

    def join(self, reference: bytes) -> str:
        """The URL of a reference on the page, or ''."""
        return join(self.url, reference.decode("utf-8", "replace")) or ""


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform; what it lacks is None."""

    name: str
    """A word, which tag paths have."""
    title: str
    """What people call it."""
    read_json: Callable[[str, Any], Page | None] | None = None
    """The page of an answer; None if the answer is of another platform."""
    read_xml: Callable[[str, Element], Page | None] | None = None
    endpoints: Callable[[str], Iterator[tuple[str, str]]] | None = None
    """The names and URLs of the first requests, for the base of an API."""
    signs: tuple[Sign, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    """Headers, and what their values contain."""
    find: Callable[[PageView], Iterator[Found]] | None = None
    """Recognition that needs more than signs."""
    write_queries: Callable[[QueriedTable, int], Iterator["TableQuery"]] | None = None
    """The requests that yield a table, each of at most that number of cells."""
    is_general: bool = False
    """Whether other platforms answer like this too: it is tried after all others."""
