"""The interface that a way to crawl implements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from datahound.model import Choice, Kind, Link

State = dict[str, Any]
"""Plain data: what JSON can hold, and `array`s of numbers, which are cheaper by far.

Links in it are given by their numbers. What changes seldom stands apart from what changes often,
since whoever keeps states writes only what has changed.
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """What became of a chosen link: its page's links, the new ones, the reward; or a failure."""

    links: Sequence[Link] = ()
    new_links: Sequence[Link] = ()
    reward: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a choice was made: its action's score, the part due to exploration, the next best."""

    score: float | None = None
    bonus: float | None = None
    runners_up: tuple[tuple[int, float], ...] = ()
    basis: str = ""
    """What the score rests on, in words."""


class Oracle(Protocol):
    """What only a recording knows."""

    def kind_of(self, url: str) -> Kind:
        """The true kind of a URL, at no cost."""
        ...

    def targets(self) -> Iterable[str]:
        """The URLs of all targets."""
        ...


class Strategy(Protocol):
    """Decides what to fetch next and learns from what came back."""

    uses_aliases: bool
    """Whether the crawl asks for a URL under the name that redirects have taught it."""
    uses_metadata: bool
    """Whether the files that a page's metadata names are links of the page."""

    def expect(self, link: Link) -> Kind | None:
        """What a new link probably is; None to ask the server, OTHER to drop it."""
        ...

    def add(self, link: Link) -> int | None:
        """Keep a link for later; its action, if it has one."""
        ...

    def adopt(self, link: Link) -> Choice:
        """A page that was mistaken for a target is being read: who is credited for it."""
        ...

    def choose(self, time: int) -> Choice | None:
        """The next link to visit, after so many GETs; None when nothing waits."""
        ...

    def learn_kind(self, link: Link, kind: Kind) -> None:
        """An answer told what a link is."""
        ...

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        """A chosen or adopted link has been visited."""
        ...

    def explain(self, choice: Choice) -> Explanation:
        """Why the last choice was made."""
        ...

    def waiting(self) -> Iterable[Link]:
        """The links kept for later, in any order."""
        ...

    def snapshot(self) -> State: ...

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        """Become what the snapshot was of; `links` has every link whose number it gives."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A strategy that knows of some pages which files they have, before they are read."""

    def companions(self, link: Link) -> Sequence[str]:
        """The URLs of files that a link's page most probably has."""
        ...

    def learn_companion(self, link: Link, url: str, *, found: bool) -> None:
        """A file was asked for that a link's page was expected to have."""
        ...

    def add_emptied(self, link: Link, files: Sequence[str]) -> int | None:
        """Keep a page for later whose files were collected without it; its action."""
        ...
