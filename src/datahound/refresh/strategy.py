"""The strategy of a later round: it chooses among known pages, known files and new links."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random

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
from datahound.refresh.dead_links import DeadLink as DeadLink  # noqa: PLC0414 for runs and lab
from datahound.refresh.dead_links import DeadLinks
from datahound.refresh.files import FileChecks
from datahound.refresh.history import LinkGraph, PageHistory, PageVisit
from datahound.refresh.lists import ListSignals, is_list
from datahound.refresh.pages import FirstVisits, PageRates, PageValues
from datahound.refresh.queues import HeldLinks, Left, PlaceQueue, sum_up
from datahound.refresh.round_plan import RoundPlan as RoundPlan  # noqa: PLC0414 for runs and lab
from datahound.refresh.site_state import Revisits, SiteState
from datahound.settings import RefreshSettings

_SEED = 0
"""The place of the start page in the history: it was the first page that was read."""


class RefreshStrategy:
    """Chooses among pages of earlier rounds, known files, and the links that wait in `inner`.

    It compares them by the new or changed files that one request is expected to bring.
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
        self.dead = DeadLinks(settings, generator)
        self.graph = LinkGraph()
        self.plan: RoundPlan | None = None
        """None in the first round, which belongs to the inner strategy."""
        self._first_visits = FirstVisits(settings)
        self._closed = False
        self._pages, self._files = PlaceQueue(), PlaceQueue()
        self._held = HeldLinks(self._complete, self._first_visits)
        self._endpoints: dict[str, str] = {}
        """By URL, the tag paths of endpoints: sitemaps, feeds and APIs of portals."""
        self._evidence = Evidence()
        """The evidence for the last choice."""
        self._state = SiteState()
        self._revisits = Revisits(self.history, self.values)
        self._first_now = 0.0

    def begin_first(self, now: float) -> None:
        """Begin the first round."""
        self._first_now = now

    def begin_round(
        self, plan: RoundPlan, same: Iterable[str] = (), dead: Iterable[DeadLink] = ()
    ) -> None:
        """Begin a later round, in which known pages and files may be requested again.

        `same` are files that were served in full in the last round, but had not changed; `dead`
        are the links that have led to nothing so far.
        """
        self.checks.retract(same, plan.now, plan.year)
        self.dead.begin_round(plan.unit, dead)
        self._revisits.begin_round()
        self._state = SiteState()
        self.plan, self._closed = plan, False
        self.graph = LinkGraph()
        self._pages.open(len(self.history))
        # Pages that are gone are requested only if a page links to them; the start page always.
        self._pages.close([place for place in self.history.list_gone() if place != _SEED])
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
        """Whether the site seems to have been redesigned: then new links are followed first."""
        return self._state.is_redesigned

    @property
    def is_silent(self) -> bool:
        """Whether no known page or file was found in this round, not even the start page."""
        return self._state.is_silent and _SEED not in self._pages

    @property
    def is_same_page(self) -> bool:
        """Whether the site answers every URL with the same page, as in maintenance."""
        return self._revisits.are_same_page

    def expect_left(self, same: Iterable[str] = ()) -> Left:
        """Estimate what is left to find at the end of a round; for `same`, see `begin_round`."""
        plan = self.plan
        if plan is None:
            return Left()
        self.checks.retract(same, plan.now, plan.year)
        pages = self._pages.left(self.values.expect(plan.now))
        files = self._files.left(self.checks.expect(plan.now, plan.year))
        dead = self.dead.left(plan.now)
        held = sum(value for value in self._held.values() if value > 0)
        learned = ((pages, self.values.evidence), (files, self.checks.evidence))
        waiting = len(dead) + len(self._held) + sum(1 for _ in self.waiting())
        return sum_up(learned, float(dead.sum()) + held, waiting)

    def recall_visit(self, visit: PageVisit) -> None:
        """Add a visit of the first round to the history."""
        if visit.url not in self.history:
            self._first_visits.learn(visit.url, visit.new_files, self._settings.first_round_weight)
        self.history.add(visit)

    def add_endpoint(self, url: str, platform: str, request: str) -> None:
        """Add a list or an API that an earlier round requested."""
        tag_path = f"{ENDPOINT}{platform} {request}".rstrip()
        self._note_endpoint(Link(url, tag_path, number=-1))

    def add(self, link: Link) -> int | None:
        if self._lists is not None and is_list(link):
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
        if self._closed or self.is_same_page or (self.is_silent and self._state.is_hopeless):
            return None
        self._held.fill(gets, under_way)
        is_doubtful = self._state.needs_start_page or self._revisits.needs_start_page
        if is_doubtful and _SEED in self._pages:
            return self._choose_page(_SEED)
        held, held_value = self._held.best()
        page, page_value = self._pages.best(lambda: self.values.expect(plan.now))
        known, known_value = self._find_known(plan)
        best = max(page_value, known_value, held_value)
        if listed := self._choose_list(max(page_value, held_value), best, plan.least_value):
            return listed
        if best < plan.least_value:
            return None
        if held is not None and (held_value >= best or self.is_redesigned):
            choice, self._evidence = self._held.take(held)
            return choice
        if known is not None and known_value > page_value:
            return known()
        if page is None:
            return self._choose_parked(gets, under_way)
        return self._choose_page(page)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        url = visit.url or choice.link.url
        self._note_list(choice.link, visit)
        if self.plan is not None and visit.kind is Kind.PAGE:
            self.graph.note_page(url, (link.url for link in visit.links))
            self._admit_linked(url, visit)
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
        if plan is None:
            return
        self._state.count_file(outcome)
        if outcome is CheckOutcome.NOT_A_FILE:
            self._revisits.count_file()
        if outcome is not CheckOutcome.NO_ANSWER:
            changed = outcome is CheckOutcome.SERVED
            self.checks.learn(choice.link.url, plan.now, plan.year, changed=changed)

    def explain(self, choice: Choice) -> Evidence:
        found: Evidence = self._evidence if self.plan else self._complete.explain(choice)
        return found

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
            "revisits": self._state.snapshot(),
            "pages_again": self._revisits.snapshot(),
            "dead": self.dead.snapshot(),
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
        self._state.restore(state.get("revisits", (0, 0)))
        if "pages_again" in state:
            self._revisits.restore(state["pages_again"])
        if "dead" in state:
            self.dead.restore(state["dead"])
        self._held.restore(state["held"] or [])
        self._endpoints = dict(state.get("endpoints", ()))

    @property
    def _now(self) -> float:
        return self.plan.now if self.plan else self._first_now

    @property
    def _lists(self) -> ListSignals | None:
        """Sitemaps and feeds; None in a round without a limit, which requests every page anyway."""
        return self.values.lists if self.plan is not None and self.plan.has_limit else None

    def _choose_list(self, scale: float, best: float, least: float) -> Choice | None:
        """Choose the best list, if its value is above that of pages and files, and high enough."""
        if self._lists is None:
            return None
        listed, value = self._lists.best(scale)
        if listed is None or value <= best or value < least:
            return None
        self._lists.take(listed)
        return self._choose_known(listed, Purpose.REVISIT)

    def _choose_parked(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:
        """Continue with the links of lists that may be old, once nothing else is left."""
        if self._lists is None or not self._lists.waiting:
            return None
        for link in self._lists.release_all():
            self._inner.add(link)
        return self.choose(gets, under_way)

    def _find_known(self, plan: RoundPlan) -> tuple[Callable[[], Choice] | None, float]:
        """Find the best known file or dead link: how to choose it, and its value."""
        file, file_value = self._files.best(lambda: self.checks.expect(plan.now, plan.year))
        dead, dead_value = self.dead.best(plan.now)
        if dead is not None and dead_value >= file_value:
            return partial(self._choose_dead, dead), dead_value
        return (None if file is None else partial(self._choose_file, file)), file_value

    def _choose_page(self, place: int) -> Choice:
        self._pages.close([place])
        return self._choose_known(self._link(place), Purpose.REVISIT)

    def _choose_file(self, place: int) -> Choice:
        self._files.close([place])
        # -1: it is not chosen as a link of the crawl, so it has no link number.
        return self._choose_known(Link(self.checks.urls[place], number=-1), Purpose.CHECK)

    def _choose_dead(self, link: Link) -> Choice:
        self.dead.take(link)
        return self._choose_known(link, Purpose.REVISIT)

    def _choose_known(self, link: Link, purpose: Purpose) -> Choice:
        self._evidence = Evidence()
        return Choice(link, purpose=purpose)

    def _note_endpoint(self, link: Link) -> None:
        self._endpoints[link.url] = link.tag_path
        if self.values.lists is not None and is_list(link):
            self.values.lists.add(link)

    def _note_list(self, link: Link, visit: Visit) -> None:
        """Learn from a list, and follow its links to new pages."""
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

    def _admit_linked(self, page: str, visit: Visit) -> None:
        """Let the links of a page be requested that were dead, or whose pages count as gone."""
        self.dead.meet(visit.links, page)
        for place in self.history.list_gone(link.url for link in visit.links):
            if self.history.last[place] < self._now:
                self._pages.admit(place)

    def _learn_dead(self, link: Link, url: str, visit: Visit) -> None:
        """Learn from a dead link that was followed again."""
        self.dead.learn(link.url, self._now, revived=visit.kind is not Kind.OTHER)
        if visit.kind is Kind.PAGE and url not in self.history:
            self._learn_first_visit(link, url, visit)

    def _learn_revisit(self, link: Link, url: str, visit: Visit) -> None:
        if link.url in self.dead and link.url not in self.history:
            self._learn_dead(link, url, visit)
            return
        # Sitemaps with guessed URLs are not counted: they are not pages of an earlier round.
        if visit.listing is None and link.url in self.history:
            self._state.count_visit(visit)
        if not visit.answered:
            # A failed request says nothing about the page.
            return
        place = self.history.place(link.url)
        learn = getattr(self._inner, "learn_revisit", None)
        expected = learn(visit) if learn else 0.0
        if self._lists is not None and link.url in self._lists:
            self._lists.credit(link.url, visit.reward)
            return
        if place is not None:
            news = visit.reward + self._settings.lead_credit * max(0.0, expected - visit.reward)
            self._revisits.learn(place, news, self._seen(link, url, visit), visit)

    def _learn_first_visit(self, link: Link, url: str, visit: Visit) -> None:
        if url in self.checks:
            # A page in place of a known file belongs to the checks of files, not to the history.
            return
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
