"""The strategy of a later round: pages read before and files known compete with new links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from zlib import crc32

import numpy as np

from datahound.crawl.strategy import (
    CompleteStrategy,
    Expectation,
    SmallStrategy,
    State,
    Visit,
    list_dates,
)
from datahound.events import CheckOutcome, Evidence
from datahound.model import ENDPOINT, Choice, Kind, Link, Purpose
from datahound.refresh.files import FileChecks
from datahound.refresh.history import LinkGraph, PageHistory, PageVisit
from datahound.refresh.lists import PLATFORMS, ListSignals
from datahound.refresh.pages import FirstVisits, PageRates, PageValues
from datahound.refresh.queues import HeldLinks, PlaceQueue
from datahound.settings import RefreshSettings

_SEED = 0
"""The place of the start page, which is read first."""
_LEAST_REVISITS = 10
_MOST_BROKEN = 0.6
"""Share of what is gone, or has mostly new links, above which a site was redesigned."""
# One miss may be an outage of the site.
_MOST_MISSES = 2
"""Visits in a row that found no page, after which a page counts as gone."""


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
    has_limit: bool = True
    """Whether there may be requests for some of what is known only."""
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
        self._pages, self._files = PlaceQueue(), PlaceQueue()
        self._held = HeldLinks(self._complete, self._first_visits)
        self._endpoints: dict[str, str] = {}
        """The tag paths of pages that were asked for what they list, by URL."""
        self._evidence = Evidence()
        """Of the last choice."""
        self._revisits = self._other_pages = 0
        """Pages and files asked for again in this round; those gone, or with mostly new links."""
        self._first_now = 0.0

    def begin_first(self, now: float) -> None:
        """The first round begins."""
        self._first_now = now

    def begin_round(self, plan: RoundPlan, same: Iterable[str] = ()) -> None:
        """A later round begins: pages and files that are known may be asked for again.

        `same` are files that were served in the last round with the bytes of before.
        """
        self.checks.retract(same, plan.now, plan.year)
        self._revisits = self._other_pages = 0
        self.plan, self._closed = plan, False
        self.graph = LinkGraph()
        self._pages.open(len(self.history))
        gone = np.flatnonzero(self.history.misses[: len(self.history)] >= _MOST_MISSES)
        self._pages.close(gone.tolist())
        self._files.open(len(self.checks) if plan.checks else 0)
        self.values.begin_round(plan.now, plan.unit)
        self.checks.begin_round(plan.unit)
        self._first_visits.begin_round(self._settings.fade)
        if self._lists is not None and len(self.history):
            self._lists.suggest(self.history.urls[0], self.checks.urls)
            places = (self.history.place(url) for url in self._endpoints if url in self._lists)
            self._pages.close([place for place in places if place is not None])

    def close(self) -> None:
        """Choose nothing more in this round."""
        self._closed = True

    @property
    def is_redesigned(self) -> bool:
        """Whether the site looks like another one: then its new links are followed first."""
        broken = _MOST_BROKEN * self._revisits
        return self._revisits >= _LEAST_REVISITS and self._other_pages > broken

    def expect_left(self) -> tuple[float, int]:
        """New or changed files that what was not asked for may have, and the requests for all."""
        plan = self.plan
        if plan is None:
            return 0.0, 0
        pages = self._pages.left(self.values.expect(plan.now))
        files = self._files.left(self.checks.expect(plan.now, plan.year))
        held = sum(value for value in self._held.values() if value > 0)
        waiting = sum(1 for _ in self.waiting()) + len(self._held)
        return float(pages.sum() + files.sum() + held), len(pages) + len(files) + waiting

    def recall_visit(self, visit: PageVisit) -> None:
        """A page was read before there were later rounds."""
        if visit.url not in self.history:
            self._first_visits.learn(visit.url, visit.new_files, self._settings.first_round_weight)
        self.history.add(visit)

    def add_endpoint(self, url: str, platform: str, request: str) -> None:
        """An earlier round asked for what a URL lists."""
        tag_path = f"{ENDPOINT}{platform} {request}".rstrip()
        self._note_endpoint(Link(url, tag_path, number=-1))

    def add(self, link: Link) -> int | None:
        if self._lists is not None and _is_list(link):
            self._lists.add(link)
            return None
        if self._lists is not None and self._lists.park(link):
            return None
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
        self._held.fill(gets, under_way)
        if self.is_redesigned and _SEED in self._pages:
            # A site that has moved to another host says so where it begins.
            self._pages.close([_SEED])
            return self._choose_known(self._link(_SEED), Purpose.REVISIT)
        held, held_value = self._held.best()
        page, page_value = self._pages.best(lambda: self.values.expect(plan.now))
        file, file_value = self._files.best(lambda: self.checks.expect(plan.now, plan.year))
        best = max(page_value, file_value, held_value)
        if listed := self._choose_list(max(page_value, held_value), best, plan.least_value):
            return listed
        if best < plan.least_value:
            return None
        if held is not None and (held_value >= best or self.is_redesigned):
            choice, self._evidence = self._held.take(held)
            return choice
        if file is not None and file_value > page_value:
            self._files.close([file])
            # No link of the crawl leads to it now, so it has no number of one.
            return self._choose_known(Link(self.checks.urls[file], number=-1), Purpose.CHECK)
        if page is None:
            return self._choose_parked(gets, under_way)
        self._pages.close([page])
        return self._choose_known(self._link(page), Purpose.REVISIT)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        url = visit.url or choice.link.url
        self._note_list(choice.link, visit)
        if self.plan is not None and visit.kind is Kind.PAGE:
            self.graph.note_page(url, (link.url for link in visit.links))
        if choice.purpose is Purpose.REVISIT:
            self._learn_revisit(choice.link, url, visit)
            return
        if visit.kind is Kind.PAGE and url not in self.history:
            self._learn_first_visit(choice.link, url, visit)
        elif visit.kind is Kind.OTHER and self.plan is not None:
            self._first_visits.learn(url, 0)
        self._complete.learn_visit(choice, visit)

    def learn_check(self, choice: Choice, outcome: CheckOutcome) -> None:
        plan = self.plan
        if plan is not None and outcome is not CheckOutcome.NO_ANSWER:
            self._revisits += 1
            self._other_pages += outcome is CheckOutcome.MISSING
            changed = outcome is CheckOutcome.SERVED
            self.checks.learn(choice.link.url, plan.now, plan.year, changed=changed)

    def explain(self, choice: Choice) -> Evidence:
        if self.plan is None:
            evidence: Evidence = self._complete.explain(choice)
            return evidence
        return self._evidence

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
            "revisits": [self._revisits, self._other_pages],
            "held": self._held.snapshot(),
            "endpoints": list(self._endpoints.items()),
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
        self._revisits, self._other_pages = state.get("revisits", (0, 0))
        # Older versions held one choice, and knew no endpoints.
        rows = state["held"] or []
        self._held.restore(
            [rows]
            if rows and isinstance(rows[0], list) and len(rows) == 2 and isinstance(rows[1], float)
            else rows
        )
        self._endpoints = dict(state.get("endpoints", ()))

    @property
    def _now(self) -> float:
        return self.plan.now if self.plan else self._first_now

    @property
    def _lists(self) -> ListSignals | None:
        """Sitemaps and feeds, in a round that does not read everything anyway."""
        return self.values.lists if self.plan is not None and self.plan.has_limit else None

    def _choose_list(self, scale: float, best: float, least: float) -> Choice | None:
        """The best list, if it is worth more than the best page or file, and enough to be read."""
        if self._lists is None:
            return None
        listed, value = self._lists.best(scale)
        if listed is None or value <= best or value < least:
            return None
        self._lists.take(listed)
        return self._choose_known(listed, Purpose.REVISIT)

    def _choose_parked(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:
        """Go on with what lists named long ago, once nothing else is left."""
        if self._lists is None or not self._lists.waiting:
            return None
        for link in self._lists.release_all():
            self._inner.add(link)
        return self.choose(gets, under_way)

    def _choose_known(self, link: Link, purpose: Purpose) -> Choice:
        self._evidence = Evidence()
        return Choice(link, purpose=purpose)

    def _note_endpoint(self, link: Link) -> None:
        self._endpoints[link.url] = link.tag_path
        if self.values.lists is not None and _is_list(link):
            self.values.lists.add(link)

    def _note_list(self, link: Link, visit: Visit) -> None:
        """Learn what a list says of pages."""
        listing, lists = visit.listing, self.values.lists
        if link.is_endpoint and listing is not None:
            self._note_endpoint(link)
        if self.plan is None or lists is None:
            return
        if listing is not None or link.url in lists:
            dates = list_dates(listing) if listing else {}
            for new in lists.learn(link.url, listing, dates, visit.new_links):
                self._inner.add(new)

    def _link(self, place: int) -> Link:
        history = self.history
        number, depth = int(history.number[place]), int(history.depth[place])
        url = history.urls[place]
        return Link(url, self._endpoints.get(url, ""), number=number, depth=depth)

    def _learn_revisit(self, link: Link, url: str, visit: Visit) -> None:
        if visit.listing is None:
            self._revisits += 1
            has_gone = visit.kind is not Kind.PAGE
            self._other_pages += has_gone or 2 * len(visit.new_links) > len(visit.links)
        place = self.history.place(link.url)
        learn = getattr(self._inner, "learn_revisit", None)
        promise = learn(visit) if learn else 0.0
        if self._lists is not None and link.url in self._lists:
            self._lists.credit(link.url, visit.reward)
            return
        if place is None:
            return
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
        weight = self._settings.first_round_weight if self.plan is None else 1.0
        self._first_visits.learn(url, visit.reward, weight)
        if self.plan is None:
            return
        if self._lists is not None:
            self._lists.credit(link.found_on, visit.reward)
        parent = self.history.place(link.found_on)
        if parent is not None and visit.reward:
            self.values.credit(parent, self._settings.lead_credit * visit.reward)

    def _seen(self, link: Link, url: str, visit: Visit) -> PageVisit:
        names = {one.url for one in visit.links}
        files = sum(1 for name in names if name in self.checks)
        at = (link.depth, link.number, link.found_on)
        return PageVisit(url, self._now, files, visit.reward, *at)


def _is_list(link: Link) -> bool:
    """Whether a link is that of a sitemap or a feed."""
    return link.is_endpoint and link.tag_path.split(" ", 2)[1] in PLATFORMS


def hash_links(visit: Visit) -> int:
    """A number that changes with the links of a page."""
    return crc32("\n".join(link.url for link in visit.links).encode(errors="replace"))
