"""The bound that nobody reaches: knows all targets and fetches them one by one."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from datahound.crawl.strategy import Explanation, Oracle, State, Visit
from datahound.model import Choice, Kind, Link


class OmniscientStrategy:
    """Ignores every link it is shown, since it knows better."""

    uses_aliases = False
    uses_metadata = False

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._targets: Iterator[str] | None = None
        self._taken = 0

    def expect(self, link: Link) -> Kind | None:  # noqa: ARG002
        return Kind.HTML

    def add(self, link: Link) -> None:
        pass

    def adopt(self, link: Link) -> Choice:
        return Choice(link)

    def choose(self, time: int) -> Choice | None:  # noqa: ARG002
        if self._targets is None:
            self._targets = islice(iter(self._oracle.targets()), self._taken, None)
        url = next(self._targets, None)
        self._taken += 1
        return None if url is None else Choice(Link(url, number=-self._taken))

    def learn_kind(self, link: Link, kind: Kind) -> None:
        pass

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        pass

    def explain(self, choice: Choice) -> Explanation:  # noqa: ARG002
        return Explanation()

    def waiting(self) -> Iterable[Link]:
        return ()

    def snapshot(self) -> State:
        return {"taken": self._taken}

    def restore(self, state: State, links: Mapping[int, Link]) -> None:  # noqa: ARG002
        self._taken = state["taken"]
