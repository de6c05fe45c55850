"""Websites in the likeness of the paper's eighteen, and the built-in demo."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from datahound.archive.synthetic.settings import SyntheticSettings
from datahound.errors import UserError

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
