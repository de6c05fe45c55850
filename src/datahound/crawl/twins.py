"""Pages that stand under two names, learned from pages that are equal: none is read twice."""

from array import array
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any
from zlib import crc32

from datahound.model import Page
from datahound.web.urls import origin_and_path

_ENDINGS = (
    "/index.html",
    "/index.htm",
    "/index.php",
    "/index.jsp",
    "/default.aspx",
    "/default.asp",
    "/",
    ".html",
    ".htm",
    ".php",
    "",
)
"""What one page's names may end with, where all before it is the same."""
_ENOUGH = 3
"""Equal pages before two endings are taken to be the same."""
_CLEAR = 8
"""How many pages that are equal outweigh one that is not."""
_REMEMBERED = 1 << 16


class Twins:
    """For each origin: which endings of names stand for the same page.

    >>> twins = Twins()
    >>> for name in ("a", "b", "c", "d"):
    ...     twins.note(Page(f"https://site.example/{name}", name, ()))
    >>> twins.is_read("https://site.example/d.html")
    False
    >>> for name in ("a", "b", "c"):
    ...     twins.note(Page(f"https://site.example/{name}.html", name, ()))
    >>> twins.is_read("https://site.example/d.html")
    True
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[int, int] = OrderedDict()
        """What was read of late: names and contents, as numbers that stand for them."""
        self._pairs: dict[str, list[int]] = {}
        """For an origin and two endings: how many pages were equal, and how many were not."""

    def note(self, page: Page) -> None:
        """A page was read."""
        twins = list(_twins(page.url))
        if not twins:
            return
        content = _content(page)
        for pair, twin in twins:
            known = self._pages.get(_number(twin))
            if known is not None:
                self._pairs.setdefault(pair, [0, 0])[known != content] += 1
        self._pages[_number(page.url)] = content
        if len(self._pages) > _REMEMBERED:
            self._pages.popitem(last=False)

    def is_read(self, url: str) -> bool:
        """Whether the page of a URL was probably read under another name."""
        return any(
            self._are_equal(pair) and _number(twin) in self._pages for pair, twin in _twins(url)
        )

    def snapshot(self) -> dict[str, Any]:
        return {
            "names": array("Q", self._pages.keys()),
            "contents": array("Q", self._pages.values()),
            "pairs": [[pair, *counts] for pair, counts in self._pairs.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._pages = OrderedDict(zip(state["names"], state["contents"], strict=True))
        self._pairs = {pair: [equal, other] for pair, equal, other in state["pairs"]}

    def _are_equal(self, pair: str) -> bool:
        equal, other = self._pairs.get(pair, (0, 0))
        return equal >= _ENOUGH and equal >= _CLEAR * other


def _twins(url: str) -> Iterator[tuple[str, str]]:
    """The other names that a URL's page may have: what the pair is called, and the name."""
    stem, ending = _split(url)
    if stem:
        origin, _ = origin_and_path(url)
        for other in _ENDINGS:
            if other != ending:
                first, second = sorted((ending, other))
                yield f"{origin} {first} {second}", stem + other


def _split(url: str) -> tuple[str, str]:
    """A URL up to an ending, and the ending; nothing and all of it if it has none."""
    if "?" in url:
        return "", url
    ending = next(ending for ending in _ENDINGS if url.endswith(ending))
    if not ending and "." in url.rpartition("/")[2]:
        return "", url
    return url.removesuffix(ending), ending


def _content(page: Page) -> int:
    """A number for a page's title and links; those to itself are left out."""
    stem, _ = _split(page.url)
    links = (link.url for link in page.links)
    others = [url for url in links if not (url.startswith(stem) and _split(url)[0] == stem)]
    return crc32("\n".join([page.title, *others]).encode(errors="replace"))


def _number(url: str) -> int:
    return int.from_bytes(blake2b(url.encode(errors="replace"), digest_size=8).digest())
