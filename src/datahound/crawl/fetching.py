"""One fetch at a time: asking for it, paying for it, following where it redirects."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace

from datahound.crawl.aliases import Aliases
from datahound.crawl.stopping import EarlyStop, Tally
from datahound.crawl.story import Story
from datahound.crawl.strategy import State, Strategy
from datahound.crawl.twins import Twins
from datahound.events import Fetched, SiteMoved, Skipped, TargetFound
from datahound.model import Answer, Failure, Fetch, Kind, Link, Page, Postponed, Purpose, Response
from datahound.settings import CrawlSettings
from datahound.web import kinds
from datahound.web.site import ELSEWHERE, Site
from datahound.web.traps import Traps
from datahound.web.urls import join

NEITHER = "neither page nor target"
ALIAS = "another name of a known URL"
_HEAD_UNSUPPORTED = (405, 501)
_REDIRECTS = (301, 302, 303, 307, 308)

Asking = Generator[Fetch | None, Answer, Answer]
Getting = Generator[Fetch | None, Answer, "Outcome"]


class BudgetSpent(Exception):
    """There is nothing left to pay the next fetch with."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a link turned out to be, redirects followed: under its last URL, with its answer."""

    link: Link
    kind: Kind
    response: Response | None = None
    postponed: bool = False
    is_alias: bool = False
    """Another name of a known URL: nothing was asked for."""
    is_missing: bool = False
    """There was no answer, or one that says that nothing is there."""


class Fetching:
    """Turns links into outcomes by yielding fetches; keeps the tally and what is known."""

    def __init__(
        self, seed: str, strategy: Strategy, settings: CrawlSettings, story: Story
    ) -> None:
        self.site = Site(seed, settings.site)
        self.tally = Tally()
        self.early_stop = EarlyStop(settings.early_stop) if settings.early_stop else None
        # A dict for its order: a snapshot lists what was met in the order of meeting.
        self.known: dict[str, None] = {seed: None}
        self._strategy = strategy
        self._settings = settings
        self._targets = settings.targets or kinds.DEFAULT_TARGETS
        self._traps = Traps(settings.traps) if settings.traps else None
        self._aliases = Aliases() if strategy.uses_aliases else None
        self._twins = Twins() if strategy.uses_aliases else None
        self._story = story

    def get(
        self, link: Link, purpose: Purpose, expected: Kind, *, patient: bool = False
    ) -> Getting:
        """GET a link, under its better name if it has one, and follow its redirects."""
        alias = self._better_name(link.url)
        twins = self._twins if purpose is Purpose.VISIT else None
        if alias in self.known or (twins and twins.is_read(alias or link.url)):
            self.skip(link, ALIAS)
            return Outcome(link, Kind.OTHER, is_alias=True)
        if twins and not patient and twins.may_wait(alias or link.url):
            return Outcome(link, Kind.OTHER, postponed=True)
        if alias is None:
            return (yield from self._follow(link, purpose, expected, patient=patient))
        renamed = replace(link, url=alias)
        outcome = yield from self._follow(renamed, purpose, expected, patient=patient)
        if outcome.postponed:
            return replace(outcome, link=link)
        self.known[alias] = None
        if self._aliases is None or not outcome.is_missing:
            return outcome
        if not self._aliases.own_name_may_help(link.url):
            return outcome
        outcome = yield from self._follow(link, purpose, expected, patient=patient)
        if not outcome.postponed:
            is_there = outcome.response is not None and not outcome.is_missing
            self._aliases.note_own_name(link.url, helped=is_there)
        return outcome

    def _follow(self, link: Link, purpose: Purpose, expected: Kind, *, patient: bool) -> Getting:
        """GET a link and follow its redirects; whatever it is teaches the strategy."""
        for _ in range(self._settings.max_redirects + 1):
            answer = yield from self._ask(Fetch(link.url, purpose, patient), link, expected)
            if isinstance(answer, Postponed):
                return Outcome(link, Kind.OTHER, postponed=not patient)
            if isinstance(answer, Failure):
                return Outcome(link, Kind.OTHER, is_missing=True)
            if answer.status not in _REDIRECTS:
                return self._received(link, answer)
            destination = self._destination(link, answer)
            if destination is None:
                break
            link = replace(link, url=destination)
        return Outcome(link, Kind.OTHER)

    def probe(self, link: Link) -> Getting:
        """Ask for a link's kind with a HEAD; without a clear answer it is taken for a page."""
        for _ in range(self._settings.max_redirects + 1):
            answer = yield from self._ask(Fetch(link.url, Purpose.PROBE), link, None)
            if isinstance(answer, Postponed):
                return Outcome(link, Kind.OTHER, postponed=True)
            if isinstance(answer, Failure):
                return Outcome(link, Kind.HTML if answer.requests else Kind.OTHER)
            if answer.status in _HEAD_UNSUPPORTED:
                return Outcome(link, Kind.HTML)
            if answer.status not in _REDIRECTS:
                kind = kinds.kind_of(answer, self._targets)
                self._strategy.learn_kind(link, kind)
                if kind is Kind.OTHER:
                    self.skip(link, NEITHER)
                return Outcome(link, kind)
            destination = self._destination(link, answer)
            if destination is None:
                break
            link = replace(link, url=destination)
        return Outcome(link, Kind.OTHER)

    def objection(self, url: str) -> str | None:
        """Why a URL that was never met is left out, if it is."""
        if reason := self.site.objection(url):
            return reason
        if self._settings.block_extensions and kinds.has_blocked_extension(url):
            return "blocked extension"
        if self._better_name(url) in self.known:
            return ALIAS
        return self._traps.objection(url) if self._traps else None

    def note_page(self, url: str, page: Page) -> None:
        """A page was read that stands under a URL."""
        if self._twins:
            self._twins.note(replace(page, url=url))

    def skip(self, link: Link, reason: str) -> None:
        """Leave a link out, and say why."""
        if self._story.wants(Skipped):
            self._story.tell(Skipped(link, reason))

    def snapshot(self) -> State:
        return {
            "site": self.site.seed,
            "tally": self.tally.snapshot(),
            "early_stop": self.early_stop.snapshot() if self.early_stop else None,
            "aliases": self._aliases.snapshot() if self._aliases else None,
            "twins": self._twins.snapshot() if self._twins else None,
        }

    def restore(self, state: State, known: Iterable[str]) -> None:
        self.site = self.site.moved(state["site"])
        self.known = dict.fromkeys(known)
        if self._traps:
            for url in self.known:
                self._traps.note(url)
        self.tally = Tally(**state["tally"])
        if self.early_stop and state["early_stop"]:
            self.early_stop.restore(state["early_stop"])
        if self._aliases and state["aliases"]:
            self._aliases.restore(state["aliases"])
        if self._twins and state["twins"]:
            self._twins.restore(state["twins"])

    def _better_name(self, url: str) -> str | None:
        """Where a URL would be redirected to, as far as the site's redirects tell."""
        alias = self._aliases.better(url) if self._aliases else url
        return None if alias == url or self.site.objection(alias) else alias

    def _ask(self, fetch: Fetch, link: Link, expected: Kind | None) -> Asking:
        if reason := self.tally.overspent(self._settings):
            raise BudgetSpent(reason)
        answer = yield fetch
        if isinstance(answer, Postponed):
            return answer
        if isinstance(answer, Failure) and not answer.requests:
            self.skip(link, answer.reason)
        self._pay(fetch, answer, expected)
        return answer

    def _pay(self, fetch: Fetch, answer: Response | Failure, expected: Kind | None) -> None:
        tally = self.tally
        # A picture, a sound or a film is cut at its headers.
        cut = isinstance(answer, Response) and kinds.is_blocked_type(kinds.mime_type_of(answer))
        size = 0 if cut else answer.size
        tally.requests += answer.requests
        tally.bytes += size
        if fetch.purpose is not Purpose.PROBE:
            tally.gets += answer.requests
        if self.early_stop:
            self.early_stop.observe(tally.gets, tally.targets)
        if self._story.wants(Fetched):
            self._story.tell(self._fetched(fetch, answer, expected, size))

    def _fetched(
        self, fetch: Fetch, answer: Response | Failure, expected: Kind | None, size: int
    ) -> Fetched:
        number = self.tally.requests
        if isinstance(answer, Failure):
            return Fetched(number, fetch, None, Kind.OTHER, expected, size, answer.reason)
        kind = kinds.kind_of(answer, self._targets)
        return Fetched(number, fetch, answer.status, kind, expected, size)

    def _received(self, link: Link, response: Response) -> Outcome:
        kind = kinds.kind_of(response, self._targets)
        self._strategy.learn_kind(link, kind)
        if self._aliases and kind is not Kind.OTHER:
            self._aliases.stay(link.url)
        if kind is Kind.TARGET:
            self.tally.targets += 1
            mime_type = kinds.mime_type_of(response)
            self._story.tell(TargetFound(self.tally.requests, link, mime_type, response.size))
        return Outcome(link, kind, response, is_missing=response.status >= 400)

    def _destination(self, link: Link, response: Response) -> str | None:
        """Where a redirect leads, if it is on the site and new; it is known from now on."""
        url = join(link.url, response.headers.get("location", ""))
        if url is not None and self._aliases:
            self._aliases.learn(link.url, url)
        if url is None or url in self.known:
            return None
        objection = self.site.objection(url)
        if objection and link.number:
            self.skip(replace(link, url=url), f"redirects to what is {objection}")
            return None
        if objection == ELSEWHERE:
            self.site = self.site.moved(url)
            self._story.tell(SiteMoved(url))
        self.known[url] = None
        return url
