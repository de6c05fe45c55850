"""What happened in a crawl: everything shown or stored about it is made of these.

Events carry no wall-clock time; the store adds it. Reasons are enums, sentences are made where they
are shown.
"""

from dataclasses import dataclass, field
from enum import Enum

from datahound.model import Choice, Fetch, Kind, Link, Listing, NotFollowed, Skip


@dataclass(frozen=True, slots=True)
class Discovered:
    """A new link on the site, what the strategy expects it to be, and its group if it waits."""

    link: Link
    expected: Kind
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A link that will not be fetched, and why."""

    link: Link
    reason: Skip
    redirected: bool = False
    """Whether the link itself was fetched, and what it redirects to is skipped."""


@dataclass(frozen=True, slots=True)
class FileElsewhere:
    """A page of the site links to a file on a host outside the site; it is not collected."""

    link: Link
    host: str
    extension: str


@dataclass(frozen=True, slots=True)
class GroupCreated:
    """A new group of links was created for a link unlike all before it."""

    number: int
    tag_path: str
    place: str = ""
    """The folder that the group's links share, where the strategy groups by it."""


class Ground(Enum):
    """Why a choice was made, beside the score of its group."""

    UNTRIED = "untried"
    """Nothing is known of the group: such groups go first."""
    PROVES_RULE = "proves rule"
    """The page is read to see whether a rule about files holds."""
    FILES_COLLECTED = "files collected"
    """Files of the page were collected before it was read."""


class Level(Enum):
    """What a group of links has in common."""

    SITE = "site"
    """Links with a similar tag path, anywhere on the site."""
    SECTION = "section"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Experience:
    """What visits of one level have brought, the older ones counting less."""

    level: Level
    visits: float
    targets: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reasons for a choice, as far as a strategy has them."""

    score: float | None = None
    """What the groups were compared by. None where the strategy compares none."""
    expected: float | None = None
    """New targets expected of the visit; the rest of the score is for exploration."""
    experience: tuple[Experience, ...] = ()
    chance: float | None = None
    """The probability that the link brings targets, by its URL, its texts and its place."""
    site_rate: float | None = None
    """New targets per visit, on the whole site."""
    grounds: tuple[Ground, ...] = ()
    runners_up: tuple[tuple[int, float | None], ...] = ()
    """The next best groups and their scores; None for an untried one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The next link to visit, and why."""

    choice: Choice
    why: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One fetch was answered; `number` counts the requests made so far."""

    number: int
    fetch: Fetch
    status: int | None
    """None without an answer: `failure` says why."""
    kind: Kind
    expected: Kind
    size: int
    failure: str = ""
    redirected_from: str | None = None
    """The URL whose redirect led here."""
    mime_type: str = ""
    """The MIME type of the answer; '' without one."""


@dataclass(frozen=True, slots=True)
class TargetFound:
    """A new target was collected."""

    number: int
    link: Link
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A file was asked for before its page was read."""

    page: Link
    file: Link
    found: bool


class VisitOutcome(Enum):
    """What became of a chosen link."""

    READ = "read"
    FORESEEN_ONLY = "foreseen only"
    """Files of the page were collected before it was read; it waits again, to be read later."""
    NOT_A_PAGE = "not a page"


@dataclass(frozen=True, slots=True)
class Visited:
    """A chosen link was dealt with: what became of it and what it brought."""

    number: int
    choice: Choice
    outcome: VisitOutcome
    reward: int = 0
    new_links: int = 0
    title: str = ""
    not_followed: NotFollowed = field(default_factory=NotFollowed)
    file_links: int = 0
    """Links of the page whose extensions say that they lead to files."""


class CheckOutcome(Enum):
    """What the answer to a check says of a known file."""

    UNCHANGED = "unchanged"
    """Status 304, or the validator that it had before."""
    SERVED = "served"
    """A body that may differ from the one before: its bytes must be compared."""
    MISSING = "missing"
    """Status 404 or 410."""
    MOVED = "moved"
    NOT_A_FILE = "not a file"
    """A page in its place, for example from a server that answers every URL with status 200."""
    NO_ANSWER = "no answer"
    """A failure, or a status that says nothing about the file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file of an earlier round was asked for again."""

    number: int
    link: Link
    outcome: CheckOutcome
    status: int | None = None


@dataclass(frozen=True, slots=True)
class SiteMoved:
    """The seed redirects to another host: that one is the site now."""

    seed: str


@dataclass(frozen=True, slots=True)
class ListRead:
    """A sitemap, a feed or an answer of a portal's API was read."""

    number: int
    link: Link
    listing: Listing
    links: int
    """Links in it, known ones too."""


@dataclass(frozen=True, slots=True)
class PortalEnded:
    """A portal refuses its API, or answers nothing that can be read: it is not asked again."""

    number: int
    link: Link
    status: int | None
    """None without an answer."""
    remark: str = ""
    is_elsewhere: bool = False
    """It was not asked, since it is on a host that is not the site's."""


class Stop(Enum):
    """Why a crawl ended by itself."""

    EXHAUSTED = "exhausted"
    """Every link on the site was followed."""
    SPENT_REQUESTS = "requests spent"
    SPENT_BYTES = "bytes spent"
    BARREN = "barren"
    """New targets have become too rare (early stopping)."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The crawl ended."""

    reason: Stop


Event = (
    Discovered
    | Skipped
    | FileElsewhere
    | GroupCreated
    | Chosen
    | Fetched
    | TargetFound
    | Foreseen
    | Visited
    | Checked
    | SiteMoved
    | ListRead
    | PortalEnded
    | Stopped
)

ALL_EVENTS: frozenset[type] = frozenset(Event.__args__)
