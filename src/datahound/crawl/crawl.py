"""The crawl: an iterator of fetches that are answered, and the story of what happened.

A generator inside, an iterator outside: whoever drives the crawl iterates over it and answers each
fetch; nothing here touches the network, a file or a clock.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, KeysView, Mapping
from dataclasses import astuple, replace

from datahound.crawl.aside import LaidAside
from datahound.crawl.fetching import NEITHER, BudgetSpent, Fetching, Outcome
from datahound.crawl.reading import Reading
from datahound.crawl.stopping import BARREN, EXHAUSTED, EarlyStop, Tally
from datahound.crawl.story import Story
from datahound.crawl.strategy import State, Strategy, Visit
from datahound.errors import InternalError
from datahound.events import ALL_EVENTS, ActionCreated, Chosen, Discovered, Event, Stopped, Visited
from datahound.model import Answer, Choice, Fetch, Kind, Link, Page, Purpose, Response
from datahound.settings import CrawlSettings
from datahound.web.pages import PageReader
from datahound.web.site import Site

_SNAPSHOT_VERSION = 9

Talk = Generator[Fetch | None, Answer, None]
"""Yields fetches and is sent their answers; a None marks the boundary between two visits."""


class Crawl:
    """A crawl of one website from its seed, by one strategy."""

    def __init__(
        self,
        seed: str,
        strategy: Strategy,
        *,
        settings: CrawlSettings | None = None,
        read: Callable[[Response], Page] | None = None,
        watch: Collection[type] = ALL_EVENTS,
    ) -> None:
        self.seed = seed
        self.strategy = strategy
        self.settings = settings or CrawlSettings()
        self.stopped: str | None = None
        self._read = read or PageReader().read
        self._story = Story(watch)
        self._fetching = Fetching(seed, strategy, self.settings, self._story)
        self._numbers = 1
        self._actions = 0
        self._laid_aside = LaidAside()
        self._begun = False
        self._cut_short = False
        self._talk = self._run()
        self._next: Fetch | None = None
        self._unanswered = False

    def __iter__(self) -> Iterator[Fetch]:
        return self

    def __next__(self) -> Fetch:
        if self._unanswered:
            raise InternalError("the last fetch was not answered")
        while self._next is None:
            self._next = next(self._talk)
        self._unanswered = True
        return self._next

    def answer(self, answer: Answer) -> None:
        """Tell the crawl what came back for the fetch it gave last."""
        if not self._unanswered:
            raise InternalError("there is no fetch to answer")
        self._unanswered = False
        try:
            self._next = self._talk.send(answer)
        except StopIteration:
            self._next = None

    def take_events(self) -> list[Event]:
        """What happened since this was last asked."""
        return self._story.take()

    @property
    def tally(self) -> Tally:
        """What the crawl has cost and brought so far."""
        return self._fetching.tally

    @property
    def site(self) -> Site:
        return self._fetching.site

    @property
    def known(self) -> KeysView[str]:
        """Every URL met so far, in the order of meeting."""
        return self._fetching.known.keys()

    @property
    def early_stop(self) -> EarlyStop | None:
        return self._fetching.early_stop

    @property
    def at_boundary(self) -> bool:
        """Whether no visit is under way, so that a snapshot can be taken."""
        return self._next is None and not self._unanswered and not self._cut_short

    def snapshot(self) -> State:
        """The whole crawl as plain data, between two visits."""
        waiting = [*self.strategy.waiting(), *self._laid_aside.links()]
        links = [list(astuple(link)) for link in waiting]
        return {**self.bookmark(), "known": list(self.known), "links": links}

    def restore(self, state: State) -> None:
        """Become the crawl that a snapshot was taken of; for a crawl that has not begun."""
        links = (Link(*row) for row in state["links"])
        self.resume(state, state["known"], {link.number: link for link in links})

    def bookmark(self) -> State:
        """What a snapshot has, but for what only grows: the known URLs, and links once discovered.

        Whoever keeps those as they come can take many bookmarks at little cost.
        """
        if not self.at_boundary:
            raise InternalError("a snapshot can be taken only between two visits")
        return {
            "version": _SNAPSHOT_VERSION,
            "seed": self.seed,
            "begun": self._begun,
            "numbers": self._numbers,
            "actions": self._actions,
            "laid_aside": self._laid_aside.snapshot(),
            "fetching": self._fetching.snapshot(),
            "strategy": self.strategy.snapshot(),
        }

    def can_resume(self, bookmark: State) -> bool:
        """Whether a bookmark is of this crawl, and of this version."""
        return bookmark.get("version") == _SNAPSHOT_VERSION and bookmark.get("seed") == self.seed

    def resume(self, bookmark: State, known: Iterable[str], links: Mapping[int, Link]) -> None:
        """Become the crawl that a bookmark was taken of; `links` has all that still wait."""
        if not self.can_resume(bookmark):
            raise InternalError("this snapshot is of another crawl or another version")
        self._begun = bookmark["begun"]
        self._numbers = bookmark["numbers"]
        self._actions = bookmark["actions"]
        self._laid_aside.restore(bookmark["laid_aside"], links)
        self._fetching.restore(bookmark["fetching"], known)
        self.strategy.restore(bookmark["strategy"], links)

    def _run(self) -> Talk:
        try:
            if not self._begun:
                self._begun = True
                yield from self._visit(Choice(Link(self.seed)), patient=True)
                yield None
            while not (self.early_stop and self.early_stop.barren):
                if not (yield from self._next_visit()):
                    self._stop(EXHAUSTED)
                    return
                yield None
            self._stop(BARREN)
        except BudgetSpent as spent:
            self._cut_short = True
            self._stop(str(spent))

    def _stop(self, reason: str) -> None:
        self.stopped = reason
        self._story.tell(Stopped(reason))

    def _next_visit(self) -> Generator[Fetch | None, Answer, bool]:
        """Visit what the strategy chooses; False when nothing is left."""
        if self._laid_aside.are_due(self.tally.visits):
            yield from self._take_up(patient=False)
        choice = self.strategy.choose(self.tally.gets)
        if choice is None:
            if not self._laid_aside:
                return False
            yield from self._take_up(patient=True)
            return True
        if self._story.wants(Chosen):
            why = self.strategy.explain(choice)
            self._story.tell(Chosen(choice, why.score, why.bonus, why.runners_up, why.basis))
        yield from self._visit(choice)
        return True

    def _take_up(self, *, patient: bool) -> Talk:
        """Try the link again that was laid aside first."""
        link, choice = self._laid_aside.take()
        if choice is not None:
            yield from self._visit(choice, patient=patient)
            return
        outcome = yield from self._collect(link, patient=patient)
        if outcome is not None and outcome.response is not None and outcome.kind is Kind.HTML:
            yield from self._read_all(self._adopt(outcome.link), outcome.response)

    def _visit(self, choice: Choice, *, patient: bool = False) -> Talk:
        """GET a chosen link, and read it if it is a page."""
        getting = self._fetching.get(choice.link, Purpose.VISIT, Kind.HTML, patient=patient)
        outcome = yield from getting
        if outcome.is_alias:
            return
        if outcome.postponed:
            self.tally.visits += 1
            self._laid_aside.add(outcome.link, Choice(outcome.link, choice.action))
            return
        choice = Choice(outcome.link, choice.action)
        if outcome.kind is Kind.HTML and outcome.response is not None:
            yield from self._read_all(choice, outcome.response)
        else:
            self.tally.visits += 1
            self.strategy.learn_visit(choice, Visit(failed=True))
            self._story.tell(Visited(self.tally.requests, choice, None, 0))

    def _read_all(self, choice: Choice, response: Response) -> Talk:
        """Read a page, and each page that was mistaken for a target on the way."""
        readings = [Reading(choice, self._page(response))]
        while readings:
            mistaken = yield from self._read_on(readings[-1])
            if mistaken is not None and mistaken.response is not None:
                adopted = self._adopt(mistaken.link)
                readings.append(Reading(adopted, self._page(mistaken.response)))
            else:
                self._close(readings.pop())

    def _page(self, response: Response) -> Page:
        page = self._read(response)
        if page.declared and self.strategy.uses_metadata:
            return replace(page, links=page.links + page.declared)
        return page

    def _adopt(self, link: Link) -> Choice:
        adopted = self.strategy.adopt(link)
        self._note_action(adopted.action, link)
        return adopted

    def _close(self, reading: Reading) -> None:
        self.tally.visits += 1
        self._fetching.note_page(reading.choice.link.url, reading.page)
        self.strategy.learn_visit(reading.choice, reading.visit())
        if self._story.wants(Visited):
            self._story.tell(reading.visited(self.tally.requests))

    def _read_on(self, reading: Reading) -> Generator[Fetch | None, Answer, Outcome | None]:
        """Go on with a page's links; stops early at a page that was mistaken for a target."""
        known = self._fetching.known
        for seen in reading.rest:
            if seen.url in known:
                continue
            known[seen.url] = None
            link = self._meet(seen, reading.choice.link.depth + 1)
            if link is None:
                continue
            reading.new_links.append(link)
            outcome = yield from self._deal_with(link)
            if outcome is not None and outcome.kind is Kind.TARGET:
                reading.reward += 1
            elif outcome is not None and outcome.kind is Kind.HTML:
                return outcome
        return None

    def _meet(self, seen: Link, depth: int) -> Link | None:
        """A link never seen before, with its place in the crawl; None if it is left out."""
        if reason := self._fetching.objection(seen.url):
            self._fetching.skip(seen, reason)
            return None
        number = self._numbers
        self._numbers += 1
        return Link(
            seen.url, seen.tag_path, seen.anchor, seen.surrounding, seen.found_on, depth, number
        )

    def _deal_with(self, link: Link) -> Generator[Fetch | None, Answer, Outcome | None]:
        """Keep a new link, collect it or drop it; the outcome, if it was fetched."""
        expected = self.strategy.expect(link)
        if expected is None:
            probed = yield from self._fetching.probe(link)
            if probed.postponed:
                self._story.tell(Discovered(link, None, None))
                self._laid_aside.add(probed.link)
                return None
            link, expected = probed.link, probed.kind
        elif expected is Kind.OTHER:
            self._fetching.skip(link, NEITHER)
        if expected is Kind.OTHER:
            return None
        if expected is Kind.HTML:
            self._keep(link)
            return None
        self._story.tell(Discovered(link, expected, None))
        return (yield from self._collect(link))

    def _collect(
        self, link: Link, *, patient: bool = False
    ) -> Generator[Fetch | None, Answer, Outcome | None]:
        outcome = yield from self._fetching.get(link, Purpose.COLLECT, Kind.TARGET, patient=patient)
        if not outcome.postponed:
            return outcome
        self._laid_aside.add(outcome.link)
        return None

    def _keep(self, link: Link) -> None:
        action = self.strategy.add(link)
        self._note_action(action, link)
        if self._story.wants(Discovered):
            self._story.tell(Discovered(link, Kind.HTML, action))

    def _note_action(self, action: int | None, link: Link) -> None:
        # Actions are numbered as they are founded: a number not seen before is a new one.
        if action is not None and action >= self._actions:
            self._actions = action + 1
            self._story.tell(ActionCreated(action, link.tag_path))
