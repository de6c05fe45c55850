"""What links to pages have in common, counted over a site."""

from typing import Any

import numpy as np

from datahound.learn.plain import plain

_MOST = 1024
"""Names met later are taken for none."""


class PageShares:
    """For each extension, or each host: the share of its links that were pages, 1 to begin with."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._visits = np.zeros(_MOST)
        self._found = np.zeros(_MOST)
        self.shares = np.ones(_MOST)

    def find(self, name: str) -> tuple[int, str]:
        """The number of an extension or a host, and what it counts as."""
        number = self._numbers.get(name)
        if number is None:
            if len(self._numbers) >= _MOST:
                return 0, ""
            number = self._numbers[name] = len(self._numbers)
        return number, name

    def learn(self, number: int, *, is_page: bool) -> None:
        self._visits[number] += 1
        self._found[number] += is_page
        self.shares[number] = (self._found[number] + 1) / (self._visits[number] + 1)

    def snapshot(self) -> dict[str, Any]:
        size = len(self._numbers)
        return {
            "names": list(self._numbers),
            "visits": plain(self._visits[:size]),
            "found": plain(self._found[:size]),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._numbers = {name: number for number, name in enumerate(state["names"])}
        self._visits[: len(self._numbers)] = state["visits"]
        self._found[: len(self._numbers)] = state["found"]
        self.shares = (self._found + 1) / (self._visits + 1)
