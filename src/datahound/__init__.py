"""Datahound: the data files of a website, with as few requests as possible."""

from importlib import import_module

# Type checkers take it for true. To import it from `typing` would take most of the time in which
# Ctrl-C still prints a traceback: before the command line catches it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from datahound.api import Target, crawl, crawl_blocking, refresh, refresh_blocking
    from datahound.archive import Archive, MemoryArchive, open_archive
    from datahound.crawl.crawl import Crawl
    from datahound.crawl.strategy import Strategy
    from datahound.engines.replay import replay
    from datahound.errors import ArchiveError, DatahoundError, UserError
    from datahound.lab.metrics import Curve
    from datahound.model import Choice, Failure, Fetch, Kind, Link, Page, Purpose, Response
    from datahound.settings import Settings
    from datahound.strategies import STRATEGIES, make_strategy

__all__ = [
    "STRATEGIES", "Archive", "ArchiveError", "Choice", "Crawl", "Curve", "DatahoundError",
    "Failure", "Fetch", "Kind", "Link", "MemoryArchive", "Page", "Purpose", "Response", "Settings",
    "Strategy", "Target", "UserError", "crawl", "crawl_blocking", "make_strategy", "open_archive",
    "refresh", "refresh_blocking", "replay",
]  # fmt: skip

_NAMES_OF = {
    "archive": "Archive MemoryArchive open_archive",
    "crawl.crawl": "Crawl",
    "crawl.strategy": "Strategy",
    "engines.replay": "replay",
    "errors": "ArchiveError DatahoundError UserError",
    "lab.metrics": "Curve",
    "model": "Choice Failure Fetch Kind Link Page Purpose Response",
    "api": "Target crawl crawl_blocking refresh refresh_blocking",
    "settings": "Settings",
    "strategies": "STRATEGIES make_strategy",
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}

# The folders `crawl` and `refresh` share their names with functions. Python binds a folder only
# when it is first imported: from here on the names are free for the functions.
for _name in ("crawl", "refresh"):
    import_module(f"{__name__}.{_name}")
    del globals()[_name]


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first used: most commands need few of the modules."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
