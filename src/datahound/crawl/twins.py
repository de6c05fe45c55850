"""Pages that stand under two names, learned from pages that are equal: none is read twice."""

from array import array
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import astuple, dataclass
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
_MOST_ENDINGS = 15
"""All bits that the number of an ending can have."""
_USUAL = frozenset(ending for ending in _ENDINGS if ending.startswith("/")) | {""}
"""Of these, any two stand for the same page on most sites."""
_ENOUGH = 3
"""Equal pages before two endings are taken to be the same."""
_CLEAR = 8
"""How many pages that are equal outweigh one that is not."""
_MAY_WAIT = 64
"""Times that names of one pair of endings are laid aside, before they are read to learn of it."""
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
        self._pairs: dict[str, _Counts] = {}
        """For an origin and two endings."""

    def note(self, page: Page) -> None:
        """A page was read."""
        stem, ending = _split(page.url)
        if not stem:
            return
        content = _content(page)
        for pair, twin in self._read_twins(page.url):
            counts = self._counts(pair)
            counts.equal += twin == content
            counts.other += twin != content
        self._pages[_number(stem) + _ENDINGS.index(ending)] = content
        if len(self._pages) > _REMEMBERED:
            self._pages.popitem(last=False)

    def is_read(self, url: str) -> bool:
        """Whether the page of a URL was read under another name, as its site has shown."""
        return any(self._are_equal(pair) for pair, _ in self._read_twins(url))

    def may_wait(self, url: str) -> bool:
        """Whether a URL's page was probably read, though its site has yet to show it.

        Some of each kind may wait; later ones are to be read, so that the site can show it.
        """
        for pair, _ in self._read_twins(url):
            counts = self._counts(pair)
            _, *endings = pair.split(" ")
            is_likely = counts.equal > 0 or _USUAL.issuperset(endings)
            if is_likely and not counts.other and counts.waited < _MAY_WAIT:
                counts.waited += 1
                return True
        return False

    def snapshot(self) -> dict[str, Any]:
        return {
            "names": array("Q", self._pages.keys()),
            "contents": array("Q", self._pages.values()),
            "pairs": [[pair, *astuple(counts)] for pair, counts in self._pairs.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._pages = OrderedDict(zip(state["names"], state["contents"], strict=True))
        self._pairs = {pair: _Counts(*counts) for pair, *counts in state["pairs"]}

    def _read_twins(self, url: str) -> Iterator[tuple[str, int]]:
        """What was read under a URL's other names: what the pair of endings is called, contents."""
        stem, ending = _split(url)
        if not stem:
            return
        number = _number(stem)
        for place, other in enumerate(_ENDINGS):
            content = self._pages.get(number + place)
            if content is not None and other != ending:
                origin, _ = origin_and_path(url)
                yield " ".join((origin, *sorted((ending, other)))), content

    def _are_equal(self, pair: str) -> bool:
        counts = self._counts(pair)
        return counts.equal >= _ENOUGH and counts.equal >= _CLEAR * counts.other

    def _counts(self, pair: str) -> "_Counts":
        return self._pairs.setdefault(pair, _Counts())


@dataclass(slots=True)
class _Counts:
    """Pages under two names that were equal, those that were not, and names that waited."""

    equal: int = 0
    other: int = 0
    waited: int = 0


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


def _number(stem: str) -> int:
    """A number for a URL up to its ending, with room behind it for each ending's own."""
    digest = blake2b(stem.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest) & ~_MOST_ENDINGS
