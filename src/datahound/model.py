"""The nouns: links, fetches and the answers they get."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import Any
from urllib.parse import quote, unquote


class Kind(Enum):
    """What a URL turns out to be, for a crawl."""

    PAGE = "page"
    TARGET = "target"
    OTHER = "other"
    UNKNOWN = "unknown"
    """Only of an expectation: the server must be asked."""


class Purpose(Enum):
    """Why a URL is fetched."""

    VISIT = "visit"
    PROBE = "probe"
    COLLECT = "collect"
    LIST = "list"
    """To read what a sitemap or a portal's API lists; the answer is never kept as a file."""
    REVISIT = "revisit"
    """A page of an earlier round is read again."""
    CHECK = "check"
    """A file of an earlier round is asked for again, unless it is unchanged."""


class Skip(Enum):
    """Why a link is not fetched."""

    OTHER_SITE = "other site"
    OUT_OF_SCOPE = "out of scope"
    NOT_INCLUDED = "not included"
    EXCLUDED = "excluded"
    BLOCKED_EXTENSION = "blocked extension"
    NEITHER = "neither page nor target"
    ALIAS = "alias"
    """Another name of a URL that is known."""
    TRAP_REPEATING = "trap: repeating path"
    TRAP_CALENDAR = "trap: endless calendar"
    TRAP_SESSION = "trap: session id"
    ROBOTS = "robots.txt"
    ROBOTS_UNAVAILABLE = "robots.txt unavailable"
    NOT_PUBLIC = "not public"
    """The address is of a private network, and the seed's is not."""
    TOO_LONG = "URL too long"
    NOT_WEB = "not of the web"
    """A scheme that is not fetched: FTP, or data inside the page."""
    UNWANTED_NAME = "unwanted name"
    """The name says a type that the user did not ask for; some such URLs are tried at the end."""
    LARGE_TABLE = "large table"
    """A table that a portal gives by queries has more cells than the user wants to ask for."""
    PORTAL_ENDED = "portal of no use"
    """A request to an API whose answers were of no use, or that refused to answer."""
    BARREN_KIND = "nothing new in others like it"
    """From an uncommon place, such as a `link` or an option; others like it brought nothing new."""

    @property
    def is_trap(self) -> bool:
        """Whether the URL looked like one of those that a program makes without end."""
        return self in _TRAPS


_TRAPS = frozenset({Skip.TRAP_REPEATING, Skip.TRAP_CALENDAR, Skip.TRAP_SESSION})


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
    hint: str = ""
    """The file name that the element gives, by its attributes `download` or `type`."""

    @property
    def source(self) -> str:
        """Where the link is from, if not from `a`, `area`, `frame` or `iframe`, such as `@option`.

        The tag path of such a link ends with its source; names of elements never begin with @.
        """
        _, _, last = self.tag_path.rpartition(" ")
        return last if last.startswith("@") else ""

    @property
    def is_endpoint(self) -> bool:
        """Whether it is requested for what it lists: its tag path is `@api PLATFORM REQUEST`."""
        return self.tag_path.startswith(ENDPOINT)

    @property
    def declared_extension(self) -> str:
        """The extension of the format that a list declares for a file; '' for other links."""
        if not self.tag_path.startswith(LISTED_FILE):
            return ""
        return "." + self.tag_path.rpartition(" ")[2]


_LINK_FIELDS = attrgetter(*(one.name for one in fields(Link)))


def link_row(link: Link) -> tuple[Any, ...]:
    """The arguments that make a link: `Link(*row)`; `astuple` takes twelve times as long."""
    row: tuple[Any, ...] = _LINK_FIELDS(link)
    return row


_QUERY = "#post:"
"""What begins a query in the name of a request. Canonical URLs have no fragment, so that no page
can link to such a request."""
_READABLE = "{}[]:,*()+-"


def name_query(url: str, query: str) -> str:
    """The name of a request that posts a JSON query, which a crawl uses like a URL.

    >>> name_query("https://x.org/t.px", '{"a":"b"}')
    'https://x.org/t.px#post:{%22a%22:%22b%22}'
    """
    return url + _QUERY + quote(query, safe=_READABLE)


def split_query(name: str) -> tuple[str, str]:
    """The URL of a request, and the JSON query that is posted to it; '' if none is.

    >>> split_query("https://x.org/t.px#post:{%22a%22:1}"), split_query("https://x.org/")
    (('https://x.org/t.px', '{"a":1}'), ('https://x.org/', ''))
    """
    url, _, query = name.partition(_QUERY)
    return url, unquote(query)


ENDPOINT = "@api "
LISTED_FILE = "@file "


class Role(Enum):
    """What a list says that an entry is."""

    FILE = "file"
    SERVICE = "service"
    """An interface that is queried, such as a map service."""
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class ListedDataset:
    """What a list says of a dataset."""

    name: str
    """Its identifier in the list."""
    title: str = ""
    description: str = ""
    licence: str = ""
    modified: str = ""
    page: str = ""
    """The URL of the page about it."""
    files: int = 0
    publisher: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list says of a URL."""

    url: str
    role: Role
    title: str = ""
    format: str = ""
    size: int | None = None
    modified: str = ""
    licence: str = ""
    dataset: int | None = None
    """The place of its dataset in the list."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a sitemap, a feed or a portal's answer lists, beside the links themselves."""

    platform: str
    request: str = ""
    """Which of the platform's answers it is, such as `package_search`."""
    total: int | None = None
    """How many datasets, or entries where there are no datasets, the whole list claims to have."""
    datasets: tuple[ListedDataset, ...] = ()
    entries: tuple[Entry, ...] = ()
    remark: str = ""
    """What could not be read, in one line."""


@dataclass(frozen=True, slots=True)
class QueriedTable:
    """A table that a portal gives in answer to queries only, in parts if it is large."""

    url: str
    """Where the queries go."""
    title: str
    size: int
    """Its cells, or its rows where the platform counts those."""
    axes: tuple[tuple[str, tuple[str, ...]], ...]
    """What a query selects from: names of variables and all their values."""
    dataset: int | None = None
    """The place of its dataset in the list."""
    most: int | None = None
    """The cells that an answer may have, where the description of the table says that."""


@dataclass(frozen=True, slots=True)
class NotFollowed:
    """What a page offers that a crawler of links does not follow."""

    needs_script: bool = False
    """The page has no links, and scripts that probably make them."""
    forms: int = 0
    files_elsewhere: int = 0
    """Links whose names say data file, on hosts outside the site."""
    links_left_out: int = 0
    """Links beyond the limit per page, and those whose URLs are too long."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a reader found in the body of an answer."""

    url: str
    title: str
    links: tuple[Link, ...]
    declared: tuple[Link, ...] = ()
    """Files that its metadata names."""
    further: tuple[Link, ...] = ()
    """Links from other places than the elements `a`, `area`, `frame` and `iframe`."""
    needs_script: bool = False
    """It has no links, and scripts that probably make them."""
    forms: int = 0
    """Forms that a user could fill in, beside those of `form_links`."""
    links_left_out: int = 0
    """Links beyond the limit per page, and those whose URLs are too long."""
    files_by_script: bool = False
    """It has buttons for files that only a script can follow."""
    names_files: bool = False
    """It is a file whose text names other files."""
    unfetchable: tuple[str, ...] = ()
    """References that cannot be fetched: by FTP, inside the page, or too long; cut short."""
    endpoints: tuple[Link, ...] = ()
    """Sitemaps, and requests of a portal's API, that the page reveals."""
    next_pages: tuple[Link, ...] = ()
    """What follows this page of a list: asked for only if this page has brought something new."""
    listing: Listing | None = None
    """What the answer says of its links, if it is a list."""
    form_links: tuple[Link, ...] = ()
    """What the choices of its forms lead to."""
    tables: tuple[QueriedTable, ...] = ()
    """Tables that are asked for by queries."""
    max_cells: int | None = None
    """The cells that an answer of the platform may have, if this one says that."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A request that a crawl wants answered: a HEAD for a probe, a POST for a query, else a GET."""

    url: str
    """Its name: the URL, with the query that is posted, if one is (`name_query`)."""
    purpose: Purpose = Purpose.VISIT
    patient: bool = False
    """Whether to wait for a host that may not be asked yet, because nothing else is left to do."""
    again: bool = False
    """Whether it was answered before: by a redirect that set a cookie, or as not ready yet."""
    hint: str = field(default="", compare=False)
    """The file name that the link gave."""

    @property
    def method(self) -> str:
        if split_query(self.url)[1]:
            return "POST"
        return "HEAD" if self.purpose is Purpose.PROBE else "GET"


PAGE_IN_PLACE = "a page in place of a file"
"""The failure of a page that came with the type or under the name of a file."""
NOT_READY = "not ready yet"
"""The failure of an answer with the status 202: what was asked for is still being made."""


class ReadingFailure(Enum):
    """Why the body of an answer could not be read."""

    TOO_SLOW = "takes too long to read"
    TOO_LARGE = "needs too much memory to read"
    BREAKS_READER = "breaks its reader"


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
    unreadable: ReadingFailure | None = None
    """Reading it failed; the body is dropped, so that reading is not tried again."""
    sitemaps: tuple[str, ...] = ()
    """The sitemaps that the robots.txt of its origin names; with one answer per origin."""
    page: Page | None = field(default=None, compare=False, repr=False)
    """What a reader found in the body, where it was read before the crawl gets the answer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer: the reason in words, and the bytes and requests that it cost."""

    url: str
    reason: str
    size: int = 0
    requests: int = 1
    refusal: Skip | None = None
    """The rule that forbade the request, if one did; then no request was made."""


@dataclass(frozen=True, slots=True)
class Postponed:
    """The host may not be asked now: the crawl postpones the link and chooses another."""

    url: str


Answer = Response | Failure | Postponed


@dataclass(frozen=True, slots=True)
class Choice:
    """What to visit, and the group that is credited for what it brings."""

    link: Link
    group: int | None = None
    """None for a strategy without groups."""
    files: tuple[str, ...] = ()
    """URLs of files that the page most probably has: they are collected before it is read."""
    purpose: Purpose = Purpose.VISIT
    """A visit; in a later round, also a revisit of a page or a check of a file."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The result of downloading a target."""

    url: str
    file: str
    """Path relative to the folder of files; '' if the body was not kept."""
    bytes: int
    sha256: str
    mime_type: str
    last_modified: str
    status: str
    """`complete`, `duplicate` (the bytes of another URL), `suspicious`, `too large` or `failed`."""
    note: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A target whose download has not ended, or not begun."""

    url: str
    part: str = ""
    """Name of the partial file; '' if there is none."""
