"""Crawlers that learn nothing: first in first out, last in first out, and uniform."""

from collections import deque
from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal

from datahound.crawl.strategy import Explanation, State, Visit
from datahound.model import Choice, Kind, Link
from datahound.strategies.randomness import plain_state, restore_state

Order = Literal["bfs", "dfs", "random"]


class SimpleStrategy:
    """Takes every link for a page and visits them in a fixed or a random order."""

    def __init__(self, order: Order, rng: Random) -> None:
        self._order = order
        self._rng = rng
        self._links: deque[Link] | list[Link] = deque() if order == "bfs" else []

    def expect(self, link: Link) -> Kind | None:  # noqa: ARG002
        return Kind.HTML

    def add(self, link: Link) -> None:
        self._links.append(link)

    def adopt(self, link: Link) -> Choice:
        return Choice(link)

    def choose(self, time: int) -> Choice | None:  # noqa: ARG002
        return Choice(self._take()) if self._links else None

    def learn_kind(self, link: Link, kind: Kind) -> None:
        pass

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        pass

    def explain(self, choice: Choice) -> Explanation:  # noqa: ARG002
        return Explanation()

    def waiting(self) -> Iterable[Link]:
        return self._links

    def snapshot(self) -> State:
        return {"links": [link.number for link in self._links], "rng": plain_state(self._rng)}

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._links.extend(links[number] for number in state["links"])
        restore_state(self._rng, state["rng"])

    def _take(self) -> Link:
        if isinstance(self._links, deque):
            return self._links.popleft()
        if self._order == "random":
            self._swap_to_end(self._rng.randrange(len(self._links)))
        return self._links.pop()

    def _swap_to_end(self, place: int) -> None:
        self._links[place], self._links[-1] = self._links[-1], self._links[place]
