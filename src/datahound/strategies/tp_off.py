"""Tag paths learned offline: breadth first while it learns what each group brings, then by benefit.

While it trains, an oracle tells this baseline which links of a page are targets.
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush

from datahound.crawl.strategy import State, Visit
from datahound.events import Evidence
from datahound.learn.actions import ActionSpace
from datahound.learn.bandit import SleepingBandit
from datahound.model import Choice, Kind, Link
from datahound.settings import ActionSettings, OfflineSettings


class TagPathsOfflineStrategy:
    """Groups links by tag path; after its training, visits the groups of highest benefit first.

    The benefit of a page is the number of targets that it links to; a link that is itself a target
    brings one. A group has the mean of what its links brought in training, and 0 if none of them
    was visited; with `unknown=ignore`, links of such a group are never visited.
    """

    faithful = True

    def __init__(
        self,
        settings: ActionSettings,
        kind_of: Callable[[str], Kind],
        offline: OfflineSettings | None = None,
    ) -> None:
        self._groups = ActionSpace(settings)
        self._benefits = SleepingBandit()
        self._kind_of = kind_of
        self._offline = offline or OfflineSettings()
        self._is_training = True
        self._in_line: deque[tuple[Link, int]] = deque()
        self._by_group: dict[int, deque[Link]] = {}
        self._best: list[tuple[float, int]] = []

    def add(self, link: Link) -> int:
        group = self._groups.assign(link.tag_path)
        self._keep(link, group)
        return group

    def adopt(self, link: Link) -> Choice:
        return Choice(link, self._groups.assign(link.tag_path))

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if self._is_training and gets >= self._offline.training_requests:
            self._end_training()
        if self._is_training:
            return Choice(*self._in_line.popleft()) if self._in_line else None
        return self._choose_best()

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        if self._is_training and choice.group is not None:
            self._benefits.pull(choice.group)
            self._benefits.learn(choice.group, self._benefit(choice, visit))

    def explain(self, choice: Choice) -> Evidence:
        if choice.group is None or self._is_training:
            return Evidence()
        mean = self._benefits.arm(choice.group).mean
        return Evidence(mean, mean)

    def waiting(self) -> Iterable[Link]:
        yield from (link for link, _ in self._in_line)
        for links in self._by_group.values():
            yield from links

    def snapshot(self) -> State:
        lines = [*self._in_line, *((k, g) for g, ks in self._by_group.items() for k in ks)]
        return {
            "groups": self._groups.snapshot(),
            "benefits": self._benefits.snapshot(),
            "is_training": self._is_training,
            "links": array("q", [link.number for link, _ in lines]),
            "groups_of_links": array("q", [group for _, group in lines]),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._groups.restore(state["groups"])
        self._benefits.restore(state["benefits"])
        self._is_training = state["is_training"]
        for number, group in zip(state["links"], state["groups_of_links"], strict=True):
            self._keep(links[number], group)

    def _keep(self, link: Link, group: int) -> None:
        if self._is_training:
            self._in_line.append((link, group))
            return
        links = self._by_group.setdefault(group, deque())
        arm = self._benefits.arm(group)
        is_ignored = self._offline.unknown == "ignore" and not arm.pulls
        # A group is in the heap, once, while it has links.
        if not links and not is_ignored:
            heappush(self._best, (-arm.mean, group))
        links.append(link)

    def _choose_best(self) -> Choice | None:
        """First in, first out, in the group of highest benefit; the older of equal groups."""
        if not self._best:
            return None
        _, group = self._best[0]
        links = self._by_group[group]
        link = links.popleft()
        if not links:
            heappop(self._best)
        return Choice(link, group)

    def _benefit(self, choice: Choice, visit: Visit) -> int:
        # The oracle sees redirects to their end, which the visit may not.
        if visit.kind is not Kind.PAGE:
            return int(self._kind_of(visit.url or choice.link.url) is Kind.TARGET)
        urls = dict.fromkeys(link.url for link in visit.links)
        return sum(self._kind_of(url) is Kind.TARGET for url in urls)

    def _end_training(self) -> None:
        self._is_training = False
        waiting, self._in_line = self._in_line, deque()
        for link, group in waiting:
            self._keep(link, group)
