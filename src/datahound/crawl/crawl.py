"""The crawl: gives fetches, takes their answers in any order, and logs what happened.

It does no I/O: an engine makes the fetches and answers them. The same answers in the same order
give the same events.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, KeysView, Mapping
from dataclasses import replace
from functools import cached_property

from datahound.crawl.discovery import Discovery
from datahound.crawl.errands import Errand, errand_row, read_errand
from datahound.crawl.event_log import EventLog
from datahound.crawl.fetches import Fetches
from datahound.crawl.portals import Portals
from datahound.crawl.stopping import EarlyStop, Tally
from datahound.crawl.strategy import CompleteStrategy, SmallStrategy, State
from datahound.crawl.visits import Visits
from datahound.errors import InternalError
from datahound.events import ALL_EVENTS, Event, Stop, Stopped
from datahound.model import Answer, Fetch, Link, Page, Response, link_row
from datahound.readers import Readers
from datahound.settings import CrawlSettings
from datahound.web.site import Site
from datahound.web.urls import host_of

# Increased whenever the contents of a snapshot change. A crawl does not restore an older snapshot:
# it replays its journal instead.
_SNAPSHOT_VERSION = 19
_ACTIVE_FETCHES = 50
"""With a limit per host, the hosts of this many latest fetches count as active."""


class Crawl:
    """A crawl of one website from its seed, by one strategy.

    At most `in_flight` fetches wait for answers at a time. With `per_host`, at most that many of
    them are of one host, and visits begin for every host that was active lately.
    """

    def __init__(
        self,
        seed: str,
        strategy: SmallStrategy,
        *,
        settings: CrawlSettings | None = None,
        read: Callable[[Response], Page | None] | None = None,
        watch: Collection[type] = ALL_EVENTS,
        in_flight: int | None = None,
        per_host: int | None = None,
    ) -> None:
        self.seed = seed
        self.strategy = strategy
        self.settings = settings or CrawlSettings()
        self.in_flight = in_flight or self.settings.in_flight
        self.per_host = per_host
        self.stopped: Stop | None = None
        self._complete = CompleteStrategy(strategy)
        self._log = EventLog(watch)
        self._fetches, self._visits = self._make_parts(read or Readers().read)
        self._begun = False
        self._open: dict[str, Errand] = {}
        """Errands whose fetches wait for answers, by URL."""
        self._ready: deque[Errand] = deque()
        """Errands whose fetches the engine was not given yet."""
        self._last_hosts: deque[str] = deque(maxlen=_ACTIVE_FETCHES)
        self._nothing_waits = False
        """Whether the strategy had nothing to choose since the last answer."""

    def _make_parts(self, read: Callable[[Response], Page | None]) -> tuple[Fetches, Visits]:
        strategy, log = self._complete, self._log
        faithful = getattr(self.strategy, "faithful", False)
        services = self.settings.services_for(faithful=faithful)
        names = services.aliases, services.equal_pages
        portals = Portals(services, log, self.settings.max_table)
        fetches = Fetches(self.seed, strategy, self.settings, log, portals, with_url_names=names)
        barren = self.settings.barren_links
        discovery = Discovery(fetches, log, read, services, strategy, portals, barren)
        return fetches, Visits(strategy, fetches, log, discovery)

    def next_fetch(self, max_links: int | None = None) -> Fetch | None:
        """The next fetch to make; None if an answer must come first, or if the crawl has ended.

        With `max_links` it also returns None after looking at that many links of pages. Then
        `is_reading` is true, and it is to be called again.
        """
        self._visits.links_left = max_links
        while self.stopped is None:
            errand = self._take_ready() if self._ready else None
            if errand is not None:
                self._open[errand.link.url] = errand
                if self.per_host is not None:
                    self._last_hosts.append(host_of(errand.link.url))
                return errand.fetch
            if self.stopped or not self._may_begin() or not self._begin_next():
                break
        return None

    def answer(self, fetch: Fetch, answer: Answer) -> None:
        """Give the crawl the answer to a fetch that it asked for."""
        errand = self._open.pop(fetch.url, None)
        if errand is None:
            raise InternalError(f"no fetch of {fetch.url} waits for an answer")
        self._nothing_waits = False
        outcome = self._fetches.receive(errand, answer)
        if outcome is None:
            # The next hop goes first: with one in flight, the hops of a link follow each other.
            self._ready.appendleft(errand)
            return
        following = self._visits.settle(errand, outcome)
        if following is not None:
            self._ready.appendleft(following)

    @cached_property
    def _has_budget(self) -> bool:
        return self.settings.max_requests is not None or self.settings.max_bytes is not None

    @property
    def is_reading(self) -> bool:
        """Whether `next_fetch` has returned amid the links of a page, because of `max_links`."""
        return self._visits.links_left == 0

    @property
    def ended(self) -> bool:
        """Whether the crawl gives no more fetches, and waits for no answer."""
        return self.stopped is not None and not self._open

    def open_fetches(self) -> list[Fetch]:
        """The fetches that wait for answers, in the order in which they were given."""
        return [errand.fetch for errand in self._open.values()]

    def begin_round(self, max_requests: int | None = None) -> None:
        """Begin a later round after the end, with at most `max_requests` more requests.

        Known URLs stay known; the strategy decides which of them are requested again.
        """
        limit = None if max_requests is None else self.tally.requests + max_requests
        self.limit_requests(limit)
        self._visits.discovery.begin_round()
        self._begun, self.stopped, self._nothing_waits = True, None, False

    def wrap_strategy(self, wrap: Callable[[SmallStrategy], SmallStrategy]) -> None:
        """Put a strategy around the crawl's own, for later rounds."""
        self.strategy = wrap(self.strategy)
        self._complete.use(self.strategy)
        # Early stopping ends a first crawl only: a later round has its own rule.
        self._fetches.early_stop = None

    def limit_requests(self, limit: int | None) -> None:
        """End after this many requests, counted from the first round on; None for no limit."""
        self.settings = replace(self.settings, max_requests=limit)
        # Overwrites the cached property.
        self._has_budget = limit is not None or self.settings.max_bytes is not None

    def collect_files(self, files: Iterable[Link]) -> None:
        """Collect files that were left out before, even if the crawl has stopped."""
        self._visits.discovery.add_files(files)
        # A crawl that has ended goes on for them, and ends again afterwards.
        self.stopped, self._nothing_waits = None, False

    def change_reach(self, hosts: tuple[str, ...], *, linked_files: bool) -> None:
        """Change which other hosts belong to the site, and whether files on any host do."""
        site = replace(self.settings.site, allowed_hosts=hosts)
        self.settings = replace(self.settings, site=site, linked_files=linked_files)
        self._fetches.change_settings(self.settings)

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        return self._log.take()

    @property
    def tally(self) -> Tally:
        """What the crawl has cost and brought so far."""
        return self._fetches.tally

    @property
    def site(self) -> Site:
        return self._fetches.site

    @property
    def known(self) -> KeysView[str]:
        """Every URL met so far, in the order of meeting."""
        return self._fetches.known.keys()

    @property
    def early_stop(self) -> EarlyStop | None:
        return self._fetches.early_stop

    @property
    def can_snapshot(self) -> bool:
        """Whether the strategy can be saved; if not, a crawl resumes from its journal alone."""
        return self._complete.can_snapshot

    def waiting(self) -> Iterable[Link]:
        """The links that wait for a visit."""
        return self._complete.waiting()

    def snapshot(self) -> State:
        """The whole crawl as plain data, at any moment."""
        waiting = [*self._complete.waiting(), *self._visits.postponed.links()]
        links = [list(link_row(link)) for link in waiting]
        return {**self.bookmark(), "known": list(self.known), "links": links}

    def restore(self, state: State) -> None:
        """Become the crawl that a snapshot was taken of; for a crawl that has not begun."""
        links = (Link(*row) for row in state["links"])
        self.resume(state, state["known"], {link.number: link for link in links})

    def bookmark(self) -> State:
        """A snapshot without the known URLs and the links that wait, which the store has."""
        if not self.can_snapshot:
            raise InternalError("this strategy can't be saved")
        return {
            "version": _SNAPSHOT_VERSION,
            "seed": self.seed,
            "begun": self._begun,
            "in_flight": [self.in_flight, self.per_host],
            "open": [errand_row(errand) for errand in self._open.values()],
            "ready": [errand_row(errand) for errand in self._ready],
            "last_hosts": list(self._last_hosts),
            "nothing_waits": self._nothing_waits,
            "visits": self._visits.snapshot(),
            "fetches": self._fetches.snapshot(),
            "strategy": self._complete.snapshot(),
        }

    def can_resume(self, bookmark: State) -> bool:
        """Whether a bookmark is of this crawl, and of this version."""
        return bookmark.get("version") == _SNAPSHOT_VERSION and bookmark.get("seed") == self.seed

    def resume(self, bookmark: State, known: Iterable[str], links: Mapping[int, Link]) -> None:
        """Become the crawl that a bookmark was taken of; `links` has all that wait, by number."""
        if not self.can_resume(bookmark):
            raise InternalError("this snapshot is of another crawl or another version")
        self._begun = bookmark["begun"]
        self.in_flight, self.per_host = bookmark["in_flight"]
        errands = [read_errand(row) for row in bookmark["open"]]
        self._open = {errand.link.url: errand for errand in errands}
        self._ready = deque(read_errand(row) for row in bookmark["ready"])
        self._last_hosts.extend(bookmark["last_hosts"])
        self._nothing_waits = bookmark["nothing_waits"]
        self._visits.restore(bookmark["visits"], links)
        under_way = [errand.link.url for errand in (*errands, *self._ready)]
        self._fetches.restore(bookmark["fetches"], known, under_way)
        self._complete.restore(bookmark["strategy"], links)

    def _take_ready(self) -> Errand | None:
        """The next errand whose fetch may start now; ends the crawl if a budget is spent."""
        if len(self._open) >= self.in_flight:
            return None
        # Fetches under way count as spent, or several in flight would exceed the budget.
        if self._has_budget and self.tally.overspent(self.settings, len(self._open)):
            self._stop_if_alone(self.tally.overspent(self.settings))
            return None
        if self.per_host is None:
            return self._ready.popleft()
        busy = [host_of(url) for url in self._open]
        for errand in self._ready:
            if busy.count(host_of(errand.link.url)) < self.per_host:
                self._ready.remove(errand)
                return errand
        return None

    def _may_begin(self) -> bool:
        """Whether there is room for one more errand."""
        room = self.in_flight
        if self.per_host is not None:
            # Room for every host that was active lately: one slow host must not take all places.
            hosts = len(set(self._last_hosts)) or 1
            room = min(room, self.per_host * hosts)
        return len(self._open) + len(self._ready) < room

    def _begin_next(self) -> bool:
        """Make the next errand ready, if there is one; False if an answer must come first."""
        if not self._begun:
            self._begun = True
            self._add_ready(self._visits.begin(self.seed))
            return True
        errand = self._visits.go_on()
        if errand is not None:
            self._ready.append(errand)
            return True
        if self.is_reading:
            return False
        if self._visits.read_unexpected():
            return True
        if (errand := self._visits.collect_file()) is not None:
            self._ready.append(errand)
            return True
        if self.early_stop and self.early_stop.barren and self._visits.are_between_rounds:
            self._stop_if_alone(Stop.BARREN)
            return False
        # A strategy that had nothing to choose is asked again only after the next answer.
        if self._nothing_waits:
            return False
        is_alone = not self._open and not self._ready
        has_begun, errand = self._visits.choose(is_alone=is_alone)
        self._add_ready(errand)
        if not has_begun:
            self._nothing_waits = True
            self._stop_if_alone(Stop.EXHAUSTED)
        return has_begun

    def _add_ready(self, errand: Errand | None) -> None:
        if errand is not None:
            self._ready.append(errand)

    def _stop_if_alone(self, reason: Stop | None) -> None:
        """End the crawl, unless an answer under way may still change what comes next."""
        if reason is not None and not self._open:
            self.stopped = reason
            self._log.add(Stopped(reason))
