"""What a synthetic website is like: its settings, the presets, and specs that name them.

Specs are `synthetic:demo`, `synthetic:ju?scale=0.1`, `synthetic:?seed=7` and the like.
"""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

from datahound.errors import UserError

LANGUAGES = ("en", "fr", "es", "ja", "ar")
MIN_PAGES, MAX_PAGES = 100, 10_000_000
MIN_BODY = 12_000
"""The fewest bytes in which every format can be written."""
# Of the paper's multilingual sites, the languages that the words are written for.
_LANGUAGES = {
    "il": ("en", "fr", "es"),
    "is": ("fr", "en"),
    "jp": ("ja", "en"),
    "oe": ("en", "fr"),
    "ok": ("en", "es", "fr"),
    "qa": ("ar", "en"),
    "wh": ("en", "fr", "es", "ar"),
    "wo": ("en", "es", "fr"),
}
SCHEME = "synthetic:"
_MAX_DAYS = 3_650
_SWITCH = {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}


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
    """Bytes generated per target at most; a larger target comes as a smaller file of its format."""
    days: int | None = None
    """The day as of which the website is shown; None for all that it ever has."""

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
        _within("days", self.days or 0, 0, _MAX_DAYS)
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


_DEMO = SyntheticSettings(
    name="demo",
    host="www.demo.example",
    pages=2_100,
    targets=420,
    linking=0.07,
    depth=4.6,
    depth_std=1.3,
    size_mb=0.4,
    size_std_mb=1.2,
    languages=("en", "fr"),
)


@dataclass(frozen=True, slots=True)
class PaperSite:
    """A website of the paper, as its table of websites describes it."""

    name: str
    start: str
    multilingual: bool
    available: int
    targets: int
    linking: float
    size_mb: float
    size_std_mb: float
    depth: float
    depth_std: float

    @property
    def pages(self) -> int:
        return self.available - self.targets


@cache
def paper_sites() -> dict[str, PaperSite]:
    """The paper's websites by their two letters."""
    text = (files(__package__) / "paper_sites.csv").read_text("utf-8")
    return {row["site"]: _paper_site(row) for row in csv.DictReader(text.splitlines())}


def preset_names() -> list[str]:
    return ["demo", *paper_sites()]


def preset(name: str) -> SyntheticSettings:
    """The settings of a preset at its full size."""
    if name == "demo":
        return _DEMO
    site = paper_sites().get(name)
    if site is None:
        allowed = ", ".join(preset_names())
        raise UserError(f"unknown synthetic site {name!r}: give one of {allowed}")
    french = site.start.endswith(".fr/")
    return SyntheticSettings(
        name=name,
        host=f"www.{name}.example",
        pages=site.pages,
        targets=site.targets,
        linking=site.linking,
        depth=site.depth,
        depth_std=site.depth_std,
        size_mb=site.size_mb,
        size_std_mb=site.size_std_mb,
        languages=_LANGUAGES.get(name, ("fr",) if french else ("en",)),
    )


def _paper_site(row: dict[str, str]) -> PaperSite:
    size, size_std = _with_std(row["target_size_mb"])
    depth, depth_std = _with_std(row["target_depth"])
    return PaperSite(
        row["site"],
        row["start_url"],
        row["multilingual"] == "yes",
        round(float(row["available_k"]) * 1000),
        round(float(row["target_k"]) * 1000),
        float(row["html_to_target_pct"]) / 100,
        size,
        size_std,
        depth,
        depth_std,
    )


def _with_std(text: str) -> tuple[float, float]:
    mean, std = re.findall(r"[\d.]+", text)
    return float(mean), float(std)


def parse_spec(spec: str) -> SyntheticSettings:
    """The settings that a spec describes.

    >>> parse_spec("synthetic:ju?scale=0.1&traps=on").pages
    4176
    """
    if not spec.startswith(SCHEME):
        raise UserError(f"{spec!r} is not a synthetic site: write {SCHEME}NAME?setting=value")
    name, _, query = spec.removeprefix(SCHEME).partition("?")
    given = _given(spec, query)
    settings = preset(name) if name else SyntheticSettings()
    settings = _scaled(settings, given.pop("scale", None), given)
    return replace(settings, **given)


def with_bodies(spec: str) -> str:
    """The spec of a site, with the bytes of its files if it is synthetic and does not say."""
    if not spec.startswith(SCHEME) or "bodies=" in spec:
        return spec
    return f"{spec}{'&' if '?' in spec else '?'}bodies=on"


def _given(spec: str, query: str) -> dict[str, Any]:
    parsers = _parsers()
    given = {}
    for key, text in parse_qsl(query, keep_blank_values=True):
        if key not in parsers:
            allowed = ", ".join(parsers)
            raise UserError(f"unknown setting {key!r} in {spec!r}: give one of {allowed}")
        given[key] = parsers[key](key, text)
    return given


def _scaled(
    settings: SyntheticSettings, scale: float | None, given: dict[str, Any]
) -> SyntheticSettings:
    """The settings at another size; targets keep their proportion to pages."""
    if scale is None:
        scale = given.get("pages", settings.pages) / settings.pages
    pages = round(settings.pages * scale)
    if not MIN_PAGES <= pages <= MAX_PAGES:
        allowed = f"{MIN_PAGES:,} to {MAX_PAGES:,}"
        raise UserError(f"{settings.name} would have {pages:,} pages: possible are {allowed}")
    return replace(settings, pages=pages, targets=round(settings.targets * scale))


def _parsers() -> dict[str, Callable[[str, str], Any]]:
    kinds: dict[object, Callable[[str, str], Any]] = {
        int: _whole,
        int | None: _whole,
        float: _number,
        bool: _switch,
        str: _text,
        tuple[str, ...]: _list,
    }
    parsers = {field.name: kinds[field.type] for field in fields(SyntheticSettings)}
    del parsers["name"]
    return {"scale": _number, **parsers}


def _whole(key: str, text: str) -> int:
    digits = text.replace("_", "").replace(",", "")
    if not digits.isascii() or not digits.isdigit():
        raise UserError(f"{key}={text!r}: give a whole number")
    return int(digits)


def _number(key: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise UserError(f"{key}={text!r}: give a number, 0 or more")
    return number


def _switch(key: str, text: str) -> bool:
    if text.lower() not in _SWITCH:
        raise UserError(f"{key}={text!r}: give on or off")
    return _SWITCH[text.lower()]


def _text(key: str, text: str) -> str:
    if not text:
        raise UserError(f"{key} is empty")
    return text


def _list(_key: str, text: str) -> tuple[str, ...]:
    return tuple(text.split(","))
