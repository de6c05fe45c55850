"""Websites made by rule from a seed: any size, nothing stored."""

from datahound.archive.synthetic.archive import SyntheticArchive, SyntheticLapse, open_synthetic
from datahound.archive.synthetic.settings import (
    SCHEME,
    PaperSite,
    SyntheticSettings,
    paper_sites,
    parse_spec,
    preset,
    preset_names,
    with_bodies,
)

__all__ = [
    "SCHEME",
    "PaperSite",
    "SyntheticArchive",
    "SyntheticLapse",
    "SyntheticSettings",
    "open_synthetic",
    "paper_sites",
    "parse_spec",
    "preset",
    "preset_names",
    "with_bodies",
]
