"""The strategy of a later round: pages read before and files known compete with new links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import numpy as np

from datahound.crawl.errands import choice_row, read_choice
from datahound.crawl.strategy import CompleteStrategy, Expectation, SmallStrategy, State, Visit
from datahound.events import CheckOutcome, Evidence
from datahound.learn.arrays import rank_highest
from datahound.model import Choice, Kind, Link, Purpose
from datahound.refresh.files import FileChecks
from datahound.refresh.history import LinkGraph, PageHistory, PageVisit
from datahound.refresh.pages import FirstVisits, PageRates, PageValues
from datahound.refresh.rates import Floats
from datahound.settings import RefreshSettings

# One miss may be an outage of the site.
_MOST_MISSES = 2
"""Visits in a row that found no page, after which a page counts as gone."""
_RANKED_AT_ONCE = 20_000
"""Values are compared anew after one choice per this many pages or files."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a round may do, and when it is."""

    now: float
    """In seconds since 1970."""
    unit: float
    """The usual number of seconds between two rounds."""
    year: int
    checks: bool = True
    """Whether known files are checked for new contents."""
    least_value: float = 0.0
    """Stop when the best request is expected to bring fewer new or changed files than this."""


class RefreshStrategy:
    """Chooses between pages of earlier rounds, known files, and links that wait in `inner`.

    All are compared by the new or changed files that one request is expected to bring.
    """

    def __init__(
        self,
        inner: SmallStrategy,
        settings: RefreshSettings,
        rng: Random,
        *,
        history: PageHistory | None = None,
        values: PageValues | None = None,
    ) -> None:
        self._inner = inner
        self._complete = CompleteStrategy(inner)
        self._settings = settings
        generator = np.random.default_rng(rng.getrandbits(63))
        self.history = history if history is not None else PageHistory()
        self.values = values or PageRates(self.history, settings, generator)
        self.checks = FileChecks(settings, generator)
        self.graph = LinkGraph()
        self.plan: RoundPlan | None = None
        """None in the first round, which belongs to the inner strategy."""
        self._first_visits = FirstVisits(settings)
        self._closed = False
        self._pages, self._files = _Queue(), _Queue()
        self._held: Choice | None = None
        self._held_value = 0.0
        self._first_now = 0.0

    def begin_first(self, now: float) -> None:
        """The first round begins."""
        self._first_now = now

    def begin_round(self, plan: RoundPlan) -> None:
        """A later round begins: pages and files that are known may be asked for again."""
        self.plan, self._closed = plan, False
        self.graph = LinkGraph()
        self._pages.open(len(self.history))
        gone = np.flatnonzero(self.history.misses[: len(self.history)] >= _MOST_MISSES)
        self._pages.close(gone.tolist())
        self._files.open(len(self.checks) if plan.checks else 0)
        self.values.begin_round(plan.now, plan.unit)
        self.checks.begin_round(plan.unit)

    def close(self) -> None:
        """Choose nothing more in this round."""
        self._closed = True

    def expect_left(self) -> tuple[float, int]:
        """New or changed files that what was not asked for may have, and the requests for all."""
        plan = self.plan
        if plan is None:
            return 0.0, 0
        pages = self._pages.left(self.values.expect(plan.now))
        files = self._files.left(self.checks.expect(plan.now, plan.year))
        held = self._held_value if self._held else 0.0
        waiting = sum(1 for _ in self.waiting())
        return float(pages.sum() + files.sum() + held), len(pages) + len(files) + waiting

    def add(self, link: Link) -> int | None:
        return self._inner.add(link)

    def expect(self, link: Link) -> Expectation:
        expectation: Expectation = self._complete.expect(link)
        return expectation

    def adopt(self, link: Link) -> Choice:
        choice: Choice = self._complete.adopt(link)
        return choice

    def add_again(self, link: Link, files: Sequence[str]) -> int | None:
        group: int | None = self._complete.add_again(link, files)
        return group

    def learn_kind(self, link: Link, kind: Kind) -> None:
        if kind is Kind.TARGET:
            self.checks.add(link.url, self._now)
        self._complete.learn_kind(link, kind)

    def learn_foreseen(self, link: Link, url: str, *, found: bool) -> None:
        self._complete.learn_foreseen(link, url, found=found)

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:
        plan = self.plan
        if plan is None:
            return self._inner.choose(gets, under_way)
        if self._closed:
            return None
        self._hold(gets, under_way)
        page, page_value = self._pages.best(lambda: self.values.expect(plan.now))
        file, file_value = self._files.best(lambda: self.checks.expect(plan.now, plan.year))
        if max(page_value, file_value, self._held_value) < plan.least_value:
            return None
        if self._held is not None and self._held_value >= max(page_value, file_value):
            held, self._held, self._held_value = self._held, None, -1.0
            return held
        if file is not None and file_value > page_value:
            self._files.close([file])
            # No link of the crawl leads to it now, so it has no number of one.
            return Choice(Link(self.checks.urls[file], number=-1), purpose=Purpose.CHECK)
        if page is None:
            return None
        self._pages.close([page])
        return Choice(self._link(page), purpose=Purpose.REVISIT)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        url = visit.url or choice.link.url
        if self.plan is not None and visit.kind is Kind.PAGE:
            self.graph.note_page(url, (link.url for link in visit.links))
        if choice.purpose is Purpose.REVISIT:
            self._learn_revisit(choice.link, url, visit)
            return
        if visit.kind is Kind.PAGE and url not in self.history:
            self._learn_first_visit(choice.link, url, visit)
        self._complete.learn_visit(choice, visit)

    def learn_check(self, choice: Choice, outcome: CheckOutcome) -> None:
        plan = self.plan
        if plan is not None and outcome is not CheckOutcome.NO_ANSWER:
            changed = outcome is CheckOutcome.SERVED
            self.checks.learn(choice.link.url, plan.now, plan.year, changed=changed)

    def explain(self, choice: Choice) -> Evidence:
        if choice.purpose is Purpose.VISIT:
            evidence: Evidence = self._complete.explain(choice)
            return evidence
        return Evidence()

    def place_of(self, link: Link) -> str:
        place: str = self._complete.place_of(link)
        return place

    def waiting(self) -> Iterable[Link]:
        yield from self._complete.waiting()

    def snapshot(self) -> State:
        return {
            "inner": self._complete.snapshot(),
            "history": self.history.snapshot(),
            "values": self.values.snapshot(),
            "checks": self.checks.snapshot(),
            "first_visits": self._first_visits.snapshot(),
            "pages": self._pages.snapshot(),
            "files": self._files.snapshot(),
            "closed": self._closed,
            "held": [choice_row(self._held), self._held_value] if self._held else None,
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._complete.restore(state["inner"], links)
        self.history.restore(state["history"])
        self.values.restore(state["values"])
        self.checks.restore(state["checks"])
        self._first_visits.restore(state["first_visits"])
        self._pages.restore(state["pages"])
        self._files.restore(state["files"])
        self._closed = state["closed"]
        if state["held"]:
            row, self._held_value = state["held"]
            self._held = read_choice(row)

    @property
    def _now(self) -> float:
        return self.plan.now if self.plan else self._first_now

    def _hold(self, gets: int, under_way: Mapping[int, int]) -> None:
        """Look at the inner strategy's next choice, and keep it until it is the best of all."""
        if self._held is not None:
            return
        self._held, self._held_value = self._inner.choose(gets, under_way), -1.0
        if self._held is not None:
            expected = self._complete.explain(self._held).expected or 0.0
            self._held_value = self._first_visits.expect(self._held.link.url, expected)

    def _link(self, place: int) -> Link:
        history = self.history
        number, depth = int(history.number[place]), int(history.depth[place])
        return Link(history.urls[place], number=number, depth=depth)

    def _learn_revisit(self, link: Link, url: str, visit: Visit) -> None:
        place = self.history.place(link.url)
        if place is None:
            return
        learn = getattr(self._inner, "learn_revisit", None)
        promise = learn(visit) if learn else 0.0
        news = visit.reward + self._settings.lead_credit * max(0.0, promise - visit.reward)
        self.values.observe(place, self._now, news, hash_links(visit))
        if visit.kind is Kind.PAGE and url == link.url:
            self.history.add(self._seen(link, url, visit))
            return
        self.history.miss(place, self._now)
        if visit.kind is Kind.PAGE and url not in self.history:
            # It has moved; its files are not new, so nothing is learned of them.
            self.history.add(self._seen(link, url, visit))

    def _learn_first_visit(self, link: Link, url: str, visit: Visit) -> None:
        self.history.add(self._seen(link, url, visit))
        if self.plan is None:
            return
        self._first_visits.learn(url, visit.reward)
        parent = self.history.place(link.found_on)
        if parent is not None and visit.reward:
            self.values.credit(parent, self._settings.lead_credit * visit.reward)

    def _seen(self, link: Link, url: str, visit: Visit) -> PageVisit:
        names = {one.url for one in visit.links}
        files = sum(1 for name in names if name in self.checks)
        at = (link.depth, link.number, link.found_on)
        return PageVisit(url, self._now, files, visit.reward, *at)


def hash_links(visit: Visit) -> int:
    """A number that changes with the links of a page."""
    return crc32("\n".join(link.url for link in visit.links).encode(errors="replace"))


class _Queue:
    """What may still be asked for in a round, by place, and the best of it."""

    def __init__(self) -> None:
        self._open = np.zeros(0, np.bool_)
        self._best: list[tuple[float, int]] = []
        """The best few, the best one last."""

    def open(self, count: int) -> None:
        self._open = np.ones(count, np.bool_)
        self._best = []

    def close(self, places: list[int]) -> None:
        self._open[places] = False

    def best(self, values: Any) -> tuple[int | None, float]:
        """The best place and its value; `values` is called where all must be compared anew."""
        while self._best and not self._open[self._best[-1][1]]:
            self._best.pop()
        if not self._best or len(self._open) <= _RANKED_AT_ONCE:
            self._rank(values)
        if not self._best:
            return None, -1.0
        value, place = self._best[-1]
        return place, value

    def left(self, values: Floats) -> Floats:
        """The values of what was not asked for."""
        left: Floats = values[: len(self._open)][self._open]
        return left

    def snapshot(self) -> State:
        return {"open": np.packbits(self._open).tolist(), "count": len(self._open)}

    def restore(self, state: State) -> None:
        bits = np.array(state["open"], np.uint8)
        self._open = np.unpackbits(bits)[: state["count"]].astype(np.bool_)

    def _rank(self, values: Any) -> None:
        self._best = []
        if not self._open.any():
            return
        found = np.where(self._open, values()[: len(self._open)], -1.0)
        places = rank_highest(found, 1 + len(found) // _RANKED_AT_ONCE)[::-1]
        self._best = [(float(found[place]), int(place)) for place in places]
