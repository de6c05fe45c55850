"""What a synthetic website is like."""

import re
from dataclasses import dataclass

from datahound.errors import UserError

LANGUAGES = ("en", "fr", "es", "ja", "ar")
MIN_PAGES, MAX_PAGES = 100, 10_000_000
MIN_BODY = 12_000
"""The fewest bytes in which every format can be written."""


@dataclass(frozen=True, slots=True)
class SyntheticSettings:
    """What a synthetic website is made from; equal settings give the same website."""

    name: str = "synthetic"
    host: str = "www.statistics.example"
    seed: int = 1
    """Another seed gives another site with the same characteristics."""
    pages: int = 10_000
    """HTML pages that can be reached."""
    targets: int = 2_500
    linking: float = 0.08
    """The share of pages that link to a target."""
    depth: float = 5.0
    """Mean number of links from the seed to a target; `depth_std` its standard deviation."""
    depth_std: float = 1.5
    size_mb: float = 1.0
    """Mean size of a target in megabytes; `size_std_mb` its standard deviation."""
    size_std_mb: float = 6.0
    languages: tuple[str, ...] = ("en",)
    """The first is the seed's; others live under /fr/ and the like."""
    extensionless: float = 0.3
    """The share of targets whose URL does not show what they are."""
    dead_links: float = 0.05
    """The share of articles with a link that leads nowhere."""
    redirects: float = 0.05
    """The share of articles with a link that is redirected."""
    traps: bool = False
    """Session ids and a calendar without end."""
    bodies: bool = False
    """Whether targets come with their bytes, or with their size alone."""
    max_body: int = 1_000_000
    """Bytes made of a target at most; what is longer comes as a smaller file of its format."""

    def __post_init__(self) -> None:
        _within("pages", self.pages, MIN_PAGES, MAX_PAGES)
        _within("targets", self.targets, 0, MAX_PAGES)
        _within("linking", self.linking, 0.0, 0.6)
        _within("depth", self.depth, 2.0, 500.0)
        _within("depth_std", self.depth_std, 0.0, 500.0)
        _within("size_mb", self.size_mb, 0.001, 10_000.0)
        _within("size_std_mb", self.size_std_mb, 0.0, 100_000.0)
        for share in ("extensionless", "dead_links", "redirects"):
            _within(share, getattr(self, share), 0.0, 1.0)
        _within("max_body", self.max_body, MIN_BODY, 2**31)
        if not re.fullmatch(r"(?!data\.)[a-z0-9-]+(\.[a-z0-9-]+)+", self.host):
            raise UserError(f"host={self.host!r}: give a host name such as www.statistics.example")
        _check_languages(self.languages)

    @property
    def linking_pages(self) -> int:
        """How many pages link to a target."""
        if not self.targets:
            return 0
        return min(self.targets, max(1, round(self.pages * self.linking)))


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UserError(f"{name}={value} is not possible: give {low:,} to {high:,}")


def _check_languages(languages: tuple[str, ...]) -> None:
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages or len(set(languages)) < len(languages):
        given = ",".join(languages)
        raise UserError(f"languages={given!r}: give each once, out of {', '.join(LANGUAGES)}")
