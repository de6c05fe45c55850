"""Recorded websites: opening, recording, importing, serving.

The names below are what the rest of Datahound uses. Each is loaded when it is first asked for, so
that a command that opens no archive does not pay for SQLite, aiohttp or the synthetic websites.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datahound.archive.archive import (
        Archive,
        Glance,
        MemoryArchive,
        Recorded,
        as_head,
        glance,
        key,
    )
    from datahound.archive.lapse import Lapse, SiteOverTime, is_lapse, open_lapse
    from datahound.archive.open import open_archive
    from datahound.archive.warc.archive import WarcArchive, open_warc
    from datahound.archive.warc.recorder import import_archive, record_warc
    from datahound.archive.warc.scan import count_damage, cut_damage

__all__ = [
    "Archive",
    "Glance",
    "Lapse",
    "MemoryArchive",
    "Recorded",
    "SiteOverTime",
    "WarcArchive",
    "as_head",
    "count_damage",
    "cut_damage",
    "glance",
    "import_archive",
    "is_lapse",
    "key",
    "open_archive",
    "open_lapse",
    "open_warc",
    "record_warc",
]

_MODULES = {
    "archive": (
        "Archive",
        "Glance",
        "MemoryArchive",
        "Recorded",
        "as_head",
        "glance",
        "key",
    ),
    "lapse": ("Lapse", "SiteOverTime", "is_lapse", "open_lapse"),
    "open": ("open_archive",),
    "warc.scan": ("count_damage", "cut_damage"),
    "warc.archive": ("WarcArchive", "open_warc"),
    "warc.recorder": ("import_archive", "record_warc"),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
