"""The nouns: links, fetches and the answers they get."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Kind(Enum):
    """What a URL turns out to be, for a crawl."""

    HTML = "page"
    TARGET = "target"
    OTHER = "other"


class Purpose(Enum):
    """Why a URL is fetched."""

    VISIT = "visit"
    PROBE = "probe"
    COLLECT = "collect"


@dataclass(frozen=True, slots=True)
class Link:
    """A URL and how it was met: the tag path that leads to it, its texts and its page."""

    url: str
    tag_path: str = ""
    anchor: str = ""
    surrounding: str = ""
    found_on: str = ""
    depth: int = 0
    number: int = 0
    """The order of discovery in one crawl; the seed has 0."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is read from an HTML body."""

    url: str
    title: str
    links: tuple[Link, ...]
    declared: tuple[Link, ...] = ()
    """Files that its metadata names."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A request that a crawl wants answered: a HEAD for a probe, a GET otherwise."""

    url: str
    purpose: Purpose = Purpose.VISIT
    patient: bool = False
    """Nothing else is left to do: wait for a resting host instead of postponing."""

    @property
    def method(self) -> str:
        return "HEAD" if self.purpose is Purpose.PROBE else "GET"


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answered. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    size: int = 0
    """Bytes of the payload as the server sent it; of the headers, for a HEAD."""
    requests: int = 1
    truncated: bool = False
    """The body held here is not all that the server had."""


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer: the reason, and what asking cost (0 requests where a rule forbade it)."""

    url: str
    reason: str
    size: int = 0
    requests: int = 1


@dataclass(frozen=True, slots=True)
class Postponed:
    """The host must rest: the crawl lays the link aside and chooses another."""

    url: str


Answer = Response | Failure | Postponed


@dataclass(frozen=True, slots=True)
class Choice:
    """What to visit, and the action that is credited for what it brings."""

    link: Link
    action: int | None = None
