"""Every knob, one frozen dataclass per component, with the paper's values as defaults."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True)
class Within:
    """What a number may be; without it, all from 0 on."""

    least: float = 0
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How pages are read."""

    link_order: Literal["document", "element"] = "document"
    """As they stand on the page, or all `a`, then `area`, `frame`, `iframe` (the paper's kit)."""
    surrounding: bool = False
    """Whether the text around each link is read too."""
    max_text: int = 200
    """Characters kept of an anchor and of the text around it."""
    max_tag_path: Annotated[int, Within(1)] = 100
    """Elements kept of a tag path, counted from the root."""


@dataclass(frozen=True, slots=True)
class EarlyStopSettings:
    """When a crawl has become too barren to go on (ν, ε, γ, κ in the paper)."""

    window: int = 1000
    min_slope: float = 0.2
    decay: float = 0.05
    patience: int = 15


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
    """Which URLs look like the endless work of a program."""

    max_repeats: int = 3
    """How often the same path segments may follow each other."""
    max_year: int = 2100
    """The last year that a calendar may lead to."""
    min_year: int = 1700
    sessions: bool = True
    """Whether one page is followed once only, whatever the session id in its URL."""


Switch = Literal["auto", "yes", "no"]
"""On, off, or as suits the strategy: off for those that are compared with the paper's."""


@dataclass(frozen=True, slots=True)
class Services:
    """What a crawl does for any strategy."""

    aliases: bool
    equal_pages: bool
    metadata: bool


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """What a crawl looks for, what it leaves out and when it ends."""

    targets: frozenset[str] | None = None
    """MIME types of targets; None for the paper's 38."""
    block_extensions: bool = True
    """Drop links whose extension says picture, sound or film."""
    max_requests: int | None = None
    max_bytes: int | None = None
    max_redirects: int = 10
    in_flight: Annotated[int, Within(1)] = 1
    """Fetches that may wait for answers at a time."""
    early_stop: EarlyStopSettings | None = None
    site: SiteSettings = field(default_factory=SiteSettings)
    traps: TrapSettings | None = None
    """None to follow everything, as the paper does."""
    aliases: Switch = "auto"
    """Whether a URL is asked for under the name that redirects of the site have taught."""
    equal_pages: Switch = "auto"
    """Whether a page is read once only, where equal pages have shown that it has two names."""
    metadata: Switch = "auto"
    """Whether the files that a page's metadata names are links of the page."""

    def services_for(self, *, faithful: bool) -> Services:
        """The services that are on; `faithful` is of a strategy compared with the paper's."""

        def is_on(switch: Switch) -> bool:
            return not faithful if switch == "auto" else switch == "yes"

        return Services(is_on(self.aliases), is_on(self.equal_pages), is_on(self.metadata))


@dataclass(frozen=True, slots=True)
class ActionSettings:
    """How links are grouped by their tag paths (n, m, w, Π, θ in the paper)."""

    ngram: Annotated[int, Within(1)] = 2
    dimension_bits: Annotated[int, Within(1, 24)] = 12
    hash_bits: Annotated[int, Within(1, 32)] = 15
    hash_prime: Annotated[int, Within(1)] = 766_245_317
    normalize: bool = True
    """Divide counts by the path's length, as the paper's kit does."""
    min_similarity: Annotated[float, Within(0, 1)] = 0.75
    search: Literal["exact", "hnsw"] = "exact"


@dataclass(frozen=True, slots=True)
class BanditSettings:
    """How actions are chosen (α, ε in the paper)."""

    exploration: float = 2 * math.sqrt(2)
    epsilon: Annotated[float, Within(1e-12)] = 1e-6


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """How a URL's kind is guessed (b in the paper)."""

    model: Literal["lr", "svm", "nb", "pa"] = "lr"
    features: Literal["url", "context"] = "url"
    """The URL alone, or with its anchor, tag path and surrounding text."""
    batch_size: Annotated[int, Within(1)] = 10
    epochs: Annotated[int, Within(1)] = 5
    """How often each batch is gone through."""
    learning_rate: float = 1.0
    max_balance: Annotated[float, Within(1)] = 5.0
    """How much more an example of the rarer class may weigh."""


@dataclass(frozen=True, slots=True)
class HoundSettings:
    """How `hound` chooses, and what it learns from."""

    prior_weight: Annotated[float, Within(0.01)] = 8.0
    """Visits that the group around a group counts for, in what is expected of it."""
    credit: float = 0.5
    """Share of what a page's new links promise that counts as the page's own."""
    candidates: Annotated[int, Within(1)] = 4
    """Groups with the highest samples, whose links are compared before one is chosen."""
    samples: Annotated[int, Within(1)] = 32
    """Links of each of them that are compared."""
    max_groups: int = 2048
    """Directories (or pages that link to directories) that are distinguished; those met later are
    one group per section."""
    worth_rate: float = 0.2
    """Step size of the link model; 0 gives all links the same chance."""
    extension_prior: float = 2.0
    """What an extension says before anything is learned, as the logarithm of odds."""
    companions: bool = True
    """Whether files whose URLs follow from those of their pages are requested before the pages."""


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """Everything that the strategies can be told."""

    actions: ActionSettings = field(default_factory=ActionSettings)
    bandit: BanditSettings = field(default_factory=BanditSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
    hound: HoundSettings = field(default_factory=HoundSettings)


MAX_CONCURRENCY = 64


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How websites are talked to: who we say we are, how slowly we go, how much we put up with."""

    delay_seconds: float = 1.0
    """Between the starts of two requests to one host."""
    concurrency: int = 1
    """Requests to one host that may wait for their answers at the same time, at most 64. Fewer are
    made while a host answers 429 or 503, or answers half as fast."""
    user_agent: str = ""
    """Empty for Datahound's own, with the contact."""
    contact: str = ""
    """Where the people who run the website can reach the user."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent to the site's own hosts only, and never written anywhere."""
    proxy: str | None = field(default=None, repr=False)
    ignore_robots: bool = False
    connect_to: str | None = None
    """`host:port` on loopback to which every request goes, in the clear, its URL unchanged."""
    allow_private: bool | None = None
    """Whether private addresses may be reached; None for yes if the seed is at one."""
    targets: frozenset[str] | None = None
    """MIME types whose answers are cut at their headers; None for the paper's 38."""
    max_page_bytes: int = 16 << 20
    """Of a page, as sent and as unpacked."""
    max_header_bytes: int = 64 << 10
    max_url_length: int = 8000
    connect_seconds: float = 20.0
    headers_seconds: float = 60.0
    """From the request to the last header."""
    idle_seconds: float = 30.0
    """Without a byte of a body."""
    page_seconds: float = 300.0
    """For a whole page."""
    max_retries: int = 2
    retry_seconds: float = 1.0
    """Before the first retry, give or take a half; doubled for each one after."""
    retry_after_cap: float = 3600.0
    crawl_delay_cap: float = 60.0
    max_delay_seconds: float = 120.0
    """To which a host that says 429 or 503 slows us down at most."""
    long_rest_seconds: float = 30.0
    """A host that must rest longer is left for others meanwhile."""
    robots_retry_seconds: float = 60.0
    """Before a robots.txt that could not be had is asked for again; doubled each time."""
    robots_cache_seconds: float = 86_400.0
    max_outage_seconds: float = 7200.0
    """How long a host that used to answer may be out of reach before the crawl is given up."""


@dataclass(frozen=True, slots=True)
class DownloadSettings:
    """How files are kept."""

    max_file_size: int | None = 10 << 30
    """Bytes; larger files are recorded and not kept."""
    at_once: int = 4
    per_host: int = 2
    max_waiting: int = 8
    """Open bodies that may wait for their turn; with more, the crawl waits."""
    max_seconds: float = 86_400.0
    """For one file, all attempts together."""
    max_retries: int = 4
    """Attempts in a row that bring nothing new."""
    retry_seconds: float = 2.0
    """Before a body is opened again; doubled for each attempt that brought nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a crawl."""

    crawl: CrawlSettings = field(default_factory=CrawlSettings)
    pages: PageSettings = field(default_factory=PageSettings)
    strategy: StrategySettings = field(default_factory=StrategySettings)
    web: WebSettings = field(default_factory=WebSettings)
    downloads: DownloadSettings = field(default_factory=DownloadSettings)
