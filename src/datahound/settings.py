"""Settings: one frozen dataclass per component; every field has a description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from datahound.strategy_settings import (
    ActionSettings as ActionSettings,
)
from datahound.strategy_settings import (
    BanditSettings as BanditSettings,
)
from datahound.strategy_settings import (
    ClassifierSettings as ClassifierSettings,
)
from datahound.strategy_settings import (
    HoundSettings as HoundSettings,
)
from datahound.strategy_settings import (
    OfflineSettings as OfflineSettings,
)
from datahound.strategy_settings import (
    StrategySettings as StrategySettings,
)
from datahound.strategy_settings import (
    TresSettings as TresSettings,
)
from datahound.strategy_settings import (
    Within as Within,
)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How pages are read."""

    link_order: Literal["document", "element"] = "document"
    """In the order of the page, or first all `a`, then `area`, `frame`, `iframe` as in the paper's
    code."""
    surrounding: bool = False
    """Whether the text around each link is read too, which `features=context` needs."""
    max_text: int = 200
    """Characters kept of an anchor and of the text around it."""
    max_links: Annotated[int, Within(100)] = 50_000
    """Links of one page that are read; the rest are counted."""


@dataclass(frozen=True, slots=True)
class EarlyStopSettings:
    """When to end a crawl because targets have become rare; the defaults are the paper's."""

    window: Annotated[int, Within(1)] = 1000
    """GET requests after which the rate of targets per request is measured again (ν)."""
    min_slope: float = 0.2
    """Targets per request; below it, the smoothed rate counts as low (ε)."""
    decay: Annotated[float, Within(0, 1)] = 0.05
    """Weight of the newest window in the smoothed rate (γ)."""
    patience: Annotated[int, Within(1)] = 15
    """Windows in a row with a low rate after which the crawl ends (κ)."""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """Which URLs belong to a website, besides the rule of its host."""

    subdomains: bool = True
    """Whether the subdomains of the seed's host belong to the site."""
    scope: str = ""
    """A path or a URL: only what begins with it belongs to the site."""
    allowed_hosts: tuple[str, ...] = ()
    """Hosts that belong to the site too, such as one that holds its files."""
    include: tuple[str, ...] = ()
    """Regular expressions: a URL must match one of them, if there are any."""
    exclude: tuple[str, ...] = ()
    """Regular expressions: a URL must match none of them."""


@dataclass(frozen=True, slots=True)
class TrapSettings:
    """Which URLs look like those that a program makes without end."""

    max_repeats: Annotated[int, Within(1)] = 3
    """How often the same path segments may follow each other."""
    max_year: int = 2100
    """The last year that links of a calendar are followed to."""
    min_year: int = 1700
    """The first year that links of a calendar are followed to."""
    sessions: bool = True
    """Whether one page is followed once only, whatever the session id in its URL."""


Switch = Literal["auto", "yes", "no"]
"""On, off, or automatic: off for the strategies that are compared with the paper's."""


@dataclass(frozen=True, slots=True)
class Services:
    """What a crawl does for any strategy."""

    aliases: bool
    equal_pages: bool
    metadata: bool
    link_sources: bool
    unwanted_last: bool
    api: bool
    sitemaps: bool
    forms: bool


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """What a crawl looks for, what it leaves out and when it ends."""

    targets: frozenset[str] | None = None
    """What is looked for: names, extensions, MIME types, /regular expressions/; None for the
    paper's 38 MIME types."""
    block_extensions: bool = True
    """Drop links whose extension says picture, sound or film."""
    max_requests: int | None = None
    """Requests after which the crawl ends; None for no limit."""
    max_bytes: int | None = None
    """Bytes received after which the crawl ends; None for no limit."""
    max_redirects: int = 10
    """Redirects in a row that are followed."""
    in_flight: Annotated[int, Within(1)] = 1
    """Fetches of a replay that may wait for answers at a time."""
    early_stop: EarlyStopSettings | None = None
    """None to crawl until nothing is left or a limit is reached."""
    site: SiteSettings = field(default_factory=SiteSettings)
    """Which URLs belong to the website."""
    traps: TrapSettings | None = None
    """None to follow everything, as the paper does."""
    aliases: Switch = "auto"
    """Whether a URL is requested under the name that earlier redirects of the site lead to."""
    equal_pages: Switch = "auto"
    """Whether a page is read once only, where equal pages have shown that it has two URLs."""
    metadata: Switch = "auto"
    """Whether the files that a page's metadata names are links of the page."""
    link_sources: Switch = "auto"
    """Whether URLs are also taken from options, `onclick` handlers, headers and such."""
    barren_links: Annotated[int, Within(1)] = 8
    """After this many URLs of one form from options, `link` elements and such that bring nothing
    new, at the end of a crawl, the others of that form are left out."""
    unwanted_last: Switch = "auto"
    """Whether URLs whose names say a type that is not wanted wait until nothing else is left."""
    api: Switch = "auto"
    """Whether portals are asked by their APIs for what they have."""
    sitemaps: Switch = "auto"
    """Whether sitemaps are read, once the links of pages lead to nothing new."""
    forms: Switch = "auto"
    """Whether forms of choices are filled in, while their answers bring something new."""
    max_table: Annotated[int, Within(0)] = 1_000_000
    """Cells, or rows, of a table that a portal gives by queries; larger ones are left out."""
    linked_files: bool = False
    """Whether files on other hosts that pages of the site link to are collected, too."""
    max_known: Annotated[int | None, Within(100)] = None
    """With more known URLs than this, only links that name files are followed; others are counted.
    None for no limit, or for a million in a live crawl."""

    def services_for(self, *, faithful: bool) -> Services:
        """The services that are on; `faithful` is of a strategy compared with the paper's."""

        def is_on(switch: Switch) -> bool:
            return not faithful if switch == "auto" else switch == "yes"

        switches = (
            self.aliases,
            self.equal_pages,
            self.metadata,
            self.link_sources,
            self.unwanted_last,
            self.api,
            self.sitemaps,
            self.forms,
        )
        return Services(*map(is_on, switches))


@dataclass(frozen=True, slots=True)
class RefreshSettings:
    """How a later round chooses what to read again."""

    prior_weight: Annotated[float, Within(0.01)] = 2.0
    """Offset that the pages around a page count for, in the rate of its new files."""
    round_weight: Annotated[float, Within(0.01)] = 3.0
    """Expected events after which what a round has shown of a directory outweighs its past."""
    class_weight: Annotated[float, Within(0.01)] = 5.0
    """Events after which pages of an age, or names with a year, are known to be different."""
    first_visit_weight: Annotated[float, Within(0.01)] = 2.0
    """Visits of new pages after which what they brought outweighs what was expected of them."""
    first_round_weight: Annotated[float, Within(0, 1)] = 0.05
    """What first visits in the first crawl count, as a share of those in later rounds."""
    size_power: Annotated[float, Within(0, 2)] = 0.75
    """How the rate of a page grows with the files that it links to."""
    fade: Annotated[float, Within(0, 1)] = 0.9
    """Weight of what was observed before, after each round."""
    patience: Annotated[float, Within(0.01)] = 1.0
    """Rounds after which a new file that was not found is worth a third."""
    lead_credit: float = 0.5
    """Share of the new files of a new page that counts for the page that led to it."""
    sampled: bool = True
    """Whether rates of directories are sampled."""
    lists: bool = True
    """Whether sitemaps and feeds are read first, in rounds with a limit."""
    versions: Annotated[int | None, Within(0)] = None
    """Versions before the current one that are kept of each file; None for all of them."""


MAX_URL_LENGTH = 8000
"""Longer URLs on a page never become links: a page could make thousands of them of 1 MB each."""
MAX_CONCURRENCY = 64


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How websites are asked: identification, politeness, limits and retries."""

    delay_seconds: float = 1.0
    """Seconds between the starts of two requests to one host."""
    concurrency: Annotated[int, Within(1, MAX_CONCURRENCY)] = 1
    """Requests to one host that may wait for their answers at the same time. Fewer are made while a
    host answers 429 or 503, or answers half as fast."""
    user_agent: str = ""
    """Empty for Datahound's own, with the contact."""
    contact: str = ""
    """Where the people who run the website can reach the user."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent to the site's own hosts only, and never written anywhere."""
    cookies: tuple[str, ...] = field(default=(), repr=False)
    """Lines of a cookies file in the format of Netscape; never written anywhere."""
    proxy: str | None = field(default=None, repr=False)
    """URL of the proxy that all requests go through; never written anywhere."""
    sign: str = ""
    """Path of the private key (Ed25519, PEM) that signs requests to servers that ask for it."""
    sign_agent: str = ""
    """Origin with the key directory, such as `https://bot.example.org`, for signed requests."""
    ignore_robots: bool = False
    """Whether to crawl what robots.txt forbids."""
    connect_to: str | None = None
    """`host:port` on loopback to which every request goes without TLS, its URL unchanged."""
    allow_private: bool | None = None
    """Whether private addresses may be reached; None for yes if the seed is at one."""
    targets: frozenset[str] | None = None
    """What is looked for, as in `crawl.targets`: its answers are downloaded."""
    max_page_bytes: Annotated[int, Within(1)] = 16 << 20
    """Bytes of a page that are read, as sent and as unpacked."""
    max_list_bytes: Annotated[int, Within(1)] = 64 << 20
    """Bytes of a sitemap or an answer of an API that are read, as sent and as unpacked."""
    max_header_bytes: Annotated[int, Within(1024)] = 64 << 10
    """Bytes of all headers of an answer; with more, the answer is an error."""
    max_url_length: Annotated[int, Within(1, MAX_URL_LENGTH)] = MAX_URL_LENGTH
    """Characters of a URL; longer ones are not requested."""
    connect_seconds: Annotated[float, Within(0.1)] = 20.0
    """Timeout for a connection."""
    headers_seconds: Annotated[float, Within(0.1)] = 60.0
    """Timeout from the request to the last header."""
    idle_seconds: Annotated[float, Within(0.1)] = 30.0
    """Timeout for the next bytes of a body."""
    page_seconds: Annotated[float, Within(0.1)] = 300.0
    """Timeout for a whole page."""
    max_retries: int = 2
    """Retries of a request that failed for a passing reason."""
    retry_seconds: Annotated[float, Within(0.001)] = 1.0
    """Seconds before the first retry, give or take a half; doubled for each later one."""
    retry_after_cap: float = 3600.0
    """Longest wait in seconds that a Retry-After header can ask for."""
    crawl_delay_cap: float = 60.0
    """Longest delay in seconds that the Crawl-delay of a robots.txt can ask for."""
    max_delay_seconds: float = 120.0
    """Longest delay that answers of 429 and 503 slow the requests to a host down to."""
    long_rest_seconds: float = 30.0
    """A host that must not be asked for longer than this is postponed; other hosts go first."""
    robots_retry_seconds: Annotated[float, Within(0.1)] = 60.0
    """Seconds before a robots.txt that could not be read is requested again; doubled each time."""
    robots_cache_seconds: Annotated[float, Within(60)] = 86_400.0
    """Seconds after which a robots.txt is requested again."""
    max_outage_seconds: float = 7200.0
    """Seconds that a host which answered before may be unreachable until the crawl ends."""


@dataclass(frozen=True, slots=True)
class DownloadSettings:
    """How files are downloaded."""

    max_file_size: int | None = 10 << 30
    """Bytes; larger files are recorded and not kept."""
    at_once: Annotated[int, Within(1)] = 4
    """Files that are downloaded at the same time."""
    per_host: Annotated[int, Within(1)] = 2
    """Files that are downloaded from one host at the same time; those that take more than five
    minutes (16 of all hosts at most) do not count."""
    max_total_bytes: int | None = None
    """Bytes of all kept files, unpacked; a file that unpacks to more is not kept."""
    min_free_disk: int = 100 << 20
    """Bytes of disk that stay free: with fewer, the crawl stops."""
    min_bytes_per_second: float = 100.0
    """A file that comes in slower is put off until others had their turn."""
    slow_seconds: Annotated[float, Within(0.1)] = 30.0
    """Seconds over which that speed is measured."""
    max_waiting: Annotated[int, Within(1)] = 8
    """Open bodies that may wait for their turn; with more, the crawl waits."""
    max_seconds: Annotated[float, Within(0.1)] = 86_400.0
    """Timeout for one file, all attempts together."""
    max_retries: int = 4
    """Attempts in a row without new bytes after which a download fails."""
    retry_seconds: float = 2.0
    """Seconds before a body is requested again; doubled for each attempt without new bytes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a crawl."""

    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    """What a crawl looks for, what it leaves out and when it ends."""
    pages: PageSettings = field(default_factory=PageSettings)
    """How pages are read."""
    strategy: StrategySettings = field(default_factory=StrategySettings)
    """How the next page is chosen."""
    web: WebSettings = field(default_factory=WebSettings)
    """How websites are asked."""
    downloads: DownloadSettings = field(default_factory=DownloadSettings)
    """How files are downloaded."""
    refresh: RefreshSettings = field(default_factory=RefreshSettings)
    """How a later round chooses what to read again."""
