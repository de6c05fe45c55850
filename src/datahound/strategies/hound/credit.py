"""Credit for pages that lead to targets without having any: lists, menus, tables of contents."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

_MAX_PAGES = 4096
"""Beyond that, the page whose links were followed longest ago is dropped."""


def estimate_promise(reward: float, prospects: Iterable[float]) -> float:
    """Targets per request, if after a page its best links are followed for as long as they help.

    promise = max over n of (reward + p_1 + ... + p_n) / (1 + n), where p_1 ≥ p_2 ≥ ... are the
    targets expected of each link.

    >>> estimate_promise(1, [0.5, 4.0, 0.25])
    2.5
    """
    targets, requests = float(reward), 1
    for prospect in sorted(prospects, reverse=True):
        # A link below the quotient so far would lower it, and so would all after it.
        if prospect * requests <= targets:
            break
        targets += prospect
        requests += 1
    return targets / requests


class CreditLedger:
    """The targets per request that each page has led to, while its links are followed.

    A page that was read with reward r and promise p begins with (r + p) / 2: one request for the
    page, one that brings what was promised. After n of its links brought r_1 ... r_n it has
    q_n = (r + p + r_1 + ... + r_n) / (2 + n). If q_n exceeds the highest value so far (at first p),
    the difference is further credit for the page's group.
    """

    def __init__(self) -> None:
        self._pages: OrderedDict[str, tuple[int, float, int, float]] = OrderedDict()
        """By URL: the group, the targets, the requests, and the highest quotient so far."""

    def add_page(self, url: str, group: int, reward: float, promise: float) -> None:
        self._pages[url] = group, reward + promise, 2, promise
        if len(self._pages) > _MAX_PAGES:
            self._pages.popitem(last=False)

    def follow_link(self, found_on: str, reward: float) -> tuple[int, float] | None:
        """Add the reward of a page's link; returns the page's group and further credit, if any."""
        if found_on not in self._pages:
            return None
        group, targets, requests, highest = self._pages[found_on]
        targets += reward
        requests += 1
        further = targets / requests - highest
        self._pages[found_on] = group, targets, requests, highest + max(further, 0.0)
        self._pages.move_to_end(found_on)
        return (group, further) if further > 0 else None

    def snapshot(self) -> dict[str, Any]:
        return {"urls": list(self._pages), "pages": [list(page) for page in self._pages.values()]}

    def restore(self, state: dict[str, Any]) -> None:
        self._pages = OrderedDict(zip(state["urls"], map(tuple, state["pages"]), strict=True))
