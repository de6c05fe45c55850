"""What happened in a crawl: everything shown or stored about it is made of these.

Events carry no wall-clock time; whoever stores them adds it.
"""

from dataclasses import dataclass

from datahound.model import Choice, Fetch, Kind, Link


@dataclass(frozen=True, slots=True)
class Discovered:
    """A new link on the site, and what the strategy took it for (None: not known yet)."""

    link: Link
    expected: Kind | None
    action: int | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A link that will not be fetched, and why."""

    link: Link
    reason: str


@dataclass(frozen=True, slots=True)
class ActionCreated:
    """A tag path unlike all before it founded a group of links."""

    action: int
    tag_path: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The next link to visit, and how its action compared with the best of the others."""

    choice: Choice
    score: float | None
    bonus: float | None
    runners_up: tuple[tuple[int, float], ...]
    basis: str = ""
    """What the score rests on, in words."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """One fetch was answered; `number` counts the requests made so far."""

    number: int
    fetch: Fetch
    status: int | None
    kind: Kind
    expected: Kind | None
    size: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TargetFound:
    """A new target was collected."""

    number: int
    link: Link
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Visited:
    """A chosen link was dealt with: its reward if it was a page, None if it was not.

    Where files of a page were collected without it, the page was not read, and it has no number of
    new links.
    """

    number: int
    choice: Choice
    reward: int | None
    new_links: int | None
    title: str = ""

    @property
    def was_read(self) -> bool:
        """Whether there was a page, and it was read."""
        return self.reward is not None and self.new_links is not None


@dataclass(frozen=True, slots=True)
class SiteMoved:
    """The seed redirects to another host: that one is the site now."""

    seed: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The crawl ended."""

    reason: str


Event = (
    Discovered
    | Skipped
    | ActionCreated
    | Chosen
    | Fetched
    | TargetFound
    | Visited
    | SiteMoved
    | Stopped
)

ALL_EVENTS: frozenset[type] = frozenset(Event.__args__)
