"""What pages led to: whether their links bring more than could be foreseen when they were read."""

from collections import OrderedDict
from typing import Any

_MOST_PAGES = 4096
"""Those whose links were followed longest ago are forgotten."""


class Leads:
    """Pages whose links wait, each with its group and the targets a request that it has led to.

    The request for the page counts, those for its links that were followed since, and what was
    foreseen, for one request more.
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[str, tuple[int, float, int, float]] = OrderedDict()
        """By URL: the group, the targets, the requests, and the best they have ever come to."""

    def add(self, url: str, group: int, reward: int, foreseen: float) -> None:
        """A page was read, with so many targets itself, and so many a request foreseen."""
        self._pages[url] = group, reward + foreseen, 2, foreseen
        if len(self._pages) > _MOST_PAGES:
            self._pages.popitem(last=False)

    def follow(self, url: str, reward: int) -> tuple[int, float] | None:
        """A link of a page brought so many targets: the page's group, and what it is worth more."""
        if url not in self._pages:
            return None
        group, targets, requests, best = self._pages[url]
        targets += reward
        requests += 1
        more = targets / requests - best
        self._pages[url] = group, targets, requests, best + max(more, 0.0)
        self._pages.move_to_end(url)
        return (group, more) if more > 0 else None

    def snapshot(self) -> dict[str, Any]:
        return {"urls": list(self._pages), "pages": [list(page) for page in self._pages.values()]}

    def restore(self, state: dict[str, Any]) -> None:
        self._pages = OrderedDict(zip(state["urls"], map(tuple, state["pages"]), strict=True))
