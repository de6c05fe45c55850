"""The crawl: an iterator of fetches that are answered, and the story of what happened.

A generator inside, an iterator outside: whoever drives the crawl iterates over it and answers each
fetch; nothing here touches the network, a file or a clock.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping
from dataclasses import astuple

from datahound.crawl.fetching import BudgetSpent, Fetching
from datahound.crawl.stopping import BARREN, EXHAUSTED, EarlyStop, Tally
from datahound.crawl.story import Story
from datahound.crawl.strategy import State, Strategy
from datahound.crawl.visiting import Talk, Visiting
from datahound.errors import InternalError
from datahound.events import ALL_EVENTS, Event, Stopped
from datahound.model import Answer, Fetch, Link, Page, Response
from datahound.settings import CrawlSettings
from datahound.web.pages import PageReader
from datahound.web.site import Site

_SNAPSHOT_VERSION = 10


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
        self._story = Story(watch)
        self._fetching = Fetching(seed, strategy, self.settings, self._story)
        read = read or PageReader().read
        self._visiting = Visiting(strategy, self._fetching, self._story, read)
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
        waiting = [*self.strategy.waiting(), *self._visiting.laid_aside.links()]
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
            "visiting": self._visiting.snapshot(),
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
        self._visiting.restore(bookmark["visiting"], links)
        self._fetching.restore(bookmark["fetching"], known)
        self.strategy.restore(bookmark["strategy"], links)

    def _run(self) -> Talk:
        try:
            if not self._begun:
                self._begun = True
                yield from self._visiting.begin(self.seed)
                yield None
            while not (self.early_stop and self.early_stop.barren):
                if not (yield from self._visiting.go_on()):
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
