"""The interface of a strategy: what a crawl asks, and the defaults for what a strategy lacks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from datahound.crawl.event_log import EventLog
from datahound.events import CheckOutcome, Evidence, GroupCreated
from datahound.model import Choice, Kind, Link, Listing, Role

State = dict[str, Any]
"""Plain data: what JSON can hold, and `array`s of numbers, which are cheaper by far.

Links in it are given by their numbers. Keep what changes seldom apart from what changes often: the
store writes only what has changed.
"""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a new link probably is; UNKNOWN to ask the server, OTHER to drop it."""

    kind: Kind
    files: tuple[str, ...] = ()
    """URLs of files that the page most probably links to: collected before the page is read."""


A_PAGE = Expectation(Kind.PAGE)
A_TARGET = Expectation(Kind.TARGET)
ASK_SERVER = Expectation(Kind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Visit:
    """The result of a visit: the kind of the link and, for a page, its links and its reward."""

    kind: Kind = Kind.PAGE
    links: Sequence[Link] = ()
    new_links: Sequence[Link] = ()
    reward: int = 0
    url: str = ""
    """Where the link led, redirects followed; the link of the choice is as it was met."""
    other_files: int = 0
    """New links whose names say files of types that the user did not ask for."""
    listing: Listing | None = None
    """What a list says of its links."""
    answered: bool = True
    """Whether the answer shows what is there; an error or a refusal does not."""
    content: int = 0
    """A hash of a page that is read again: of its title and the texts and places of its links."""


def list_dates(listing: Listing) -> dict[str, str]:
    """When the pages that a list names were changed, as it writes it."""
    pages = {entry.url: entry.modified for entry in listing.entries if entry.role is Role.PAGE}
    datasets = {one.page: one.modified for one in listing.datasets if one.page}
    return {url: date for url, date in (pages | datasets).items() if date}


class Oracle(Protocol):
    """What only a recording knows."""

    def kind_of(self, url: str) -> Kind:
        """The true kind of a URL, at no cost."""
        ...

    def targets(self) -> Iterable[str]:
        """The URLs of all targets."""
        ...


class SmallStrategy(Protocol):
    """The methods that a strategy must have; those of `Strategy` are used if it has them."""

    def add(self, link: Link) -> int | None:
        """Keep a link for later; returns the number of its group, if it has one."""
        ...

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:
        """The next link to visit; None when nothing waits.

        `gets` counts the GETs made so far. `under_way` has the number of visits per group that have
        begun and were not learned from yet: it is empty with one fetch in flight.
        """
        ...


class Strategy(SmallStrategy, Protocol):
    """Decides what to fetch next and learns from what came back."""

    def expect(self, link: Link) -> Expectation:
        """What a new link probably is. Without this, every link is taken for a page."""
        ...

    def adopt(self, link: Link) -> Choice:
        """Return a choice for a page that was mistaken for a target: its group gets the credit."""
        ...

    def add_again(self, link: Link, files: Sequence[str]) -> int | None:
        """Keep a page whose `files` were collected before it was read; returns its group."""
        ...

    def learn_kind(self, link: Link, kind: Kind) -> None:
        """Learn the kind of a link from its answer."""
        ...

    def learn_foreseen(self, link: Link, url: str, *, found: bool) -> None:
        """Learn whether a file was found that the page of a link was expected to have."""
        ...

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        """Learn the result of visiting a chosen or adopted link."""
        ...

    def learn_revisit(self, visit: Visit) -> float:
        """Learn from a page that was read again; returns the targets per request it promises."""
        ...

    def learn_check(self, choice: Choice, outcome: CheckOutcome) -> None:
        """Learn the answer to a check of a file of an earlier round."""
        ...

    def explain(self, choice: Choice) -> Evidence:
        """Why this choice was made; called right after it."""
        ...

    def place_of(self, link: Link) -> str:
        """The URL of the folder that a link's group is made of; '' where groups are not."""
        ...

    def waiting(self) -> Iterable[Link]:
        """The links kept for later, in any order."""
        ...

    def snapshot(self) -> State:
        """All that was learned and all that waits, at any moment between two calls."""
        ...

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        """Restore a snapshot; `links` has every link whose number is in it."""
        ...


class CompleteStrategy:
    """A strategy with defaults for the methods that it lacks."""

    def __init__(self, strategy: SmallStrategy) -> None:
        self.use(strategy)

    def use(self, strategy: SmallStrategy) -> None:
        """Use this strategy from now on."""
        # Bound once, since these are called for every link.
        self.add = strategy.add
        self.choose = strategy.choose
        self.expect = getattr(strategy, "expect", _expect_page)
        self.adopt = getattr(strategy, "adopt", Choice)
        self.add_again = getattr(strategy, "add_again", self._add_again)
        self.learn_kind = getattr(strategy, "learn_kind", _ignore)
        self.learn_foreseen = getattr(strategy, "learn_foreseen", _ignore)
        self.learn_visit = getattr(strategy, "learn_visit", _ignore)
        self.learn_check = getattr(strategy, "learn_check", _ignore)
        self.explain = getattr(strategy, "explain", _explain_nothing)
        self.place_of = getattr(strategy, "place_of", _no_place)
        self.can_snapshot = all(hasattr(strategy, name) for name in _SNAPSHOT_METHODS)
        """Whether a crawl by it can be resumed from a snapshot; if not, its journal is replayed."""
        self.waiting = getattr(strategy, "waiting", tuple)
        self.snapshot = getattr(strategy, "snapshot", dict)
        self.restore = getattr(strategy, "restore", _ignore)

    def _add_again(self, link: Link, files: Sequence[str]) -> int | None:  # noqa: ARG002
        return self.add(link)


_SNAPSHOT_METHODS = ("waiting", "snapshot", "restore")


def _expect_page(link: Link) -> Expectation:  # noqa: ARG001
    return A_PAGE


def _ignore(*_: object, **__: object) -> None:
    """Learn nothing."""


def _explain_nothing(choice: Choice) -> Evidence:  # noqa: ARG001
    return Evidence()


def _no_place(link: Link) -> str:  # noqa: ARG001
    return ""


class Groups:
    """Counts groups as they are created, and their visits under way."""

    def __init__(self, strategy: CompleteStrategy, log: EventLog) -> None:
        self.under_way: dict[int, int] = {}
        """Visits under way, by group."""
        self._strategy = strategy
        self._log = log
        self._count = 0

    def count_under_way(self, choice: Choice, change: int) -> None:
        """Count that a visit of a choice begins (1) or ends (-1)."""
        if choice.group is not None:
            # Groups without visits are removed, so that the mapping stays small.
            count = self.under_way.pop(choice.group, 0) + change
            if count:
                self.under_way[choice.group] = count

    def note(self, group: int | None, link: Link) -> None:
        """Note the group of a link; a number above all earlier ones is of a new group."""
        if group is not None and group >= self._count:
            self._count = group + 1
            self._log.add(GroupCreated(group, link.tag_path, self._strategy.place_of(link)))

    def snapshot(self) -> dict[str, Any]:
        return {
            "groups": self._count,
            "under_way": [list(pair) for pair in self.under_way.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._count, self.under_way = state["groups"], dict(state["under_way"])
