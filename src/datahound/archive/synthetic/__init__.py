"""Websites made by rule from a seed: any size, nothing stored."""

from datahound.archive.synthetic.archive import SyntheticArchive
from datahound.archive.synthetic.presets import PaperSite, paper_sites, preset, preset_names
from datahound.archive.synthetic.settings import SyntheticSettings
from datahound.archive.synthetic.spec import SCHEME, open_synthetic, parse_spec

__all__ = [
    "SCHEME",
    "PaperSite",
    "SyntheticArchive",
    "SyntheticSettings",
    "open_synthetic",
    "paper_sites",
    "parse_spec",
    "preset",
    "preset_names",
]
