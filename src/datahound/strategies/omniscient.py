"""The bound that nobody reaches: knows all targets and fetches them one by one."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from datahound.crawl.strategy import Oracle, State
from datahound.model import Choice, Link


class OmniscientStrategy:
    """Ignores every link it is shown, since it knows better."""

    faithful = True

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._targets: Iterator[str] | None = None
        self._taken = 0

    def add(self, link: Link) -> None:
        pass

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if self._targets is None:
            self._targets = islice(iter(self._oracle.targets()), self._taken, None)
        url = next(self._targets, None)
        self._taken += 1
        return None if url is None else Choice(Link(url, number=-self._taken))

    def waiting(self) -> Iterable[Link]:
        return ()

    def snapshot(self) -> State:
        return {"taken": self._taken}

    def restore(self, state: State, links: Mapping[int, Link]) -> None:  # noqa: ARG002
        self._taken = state["taken"]
