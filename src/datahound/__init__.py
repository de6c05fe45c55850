"""Datahound: the data files of a website, with as few requests as possible."""

from datahound.archive import Archive, MemoryArchive, open_archive
from datahound.crawl.crawl import Crawl
from datahound.crawl.strategy import Strategy
from datahound.engines.replay import replay
from datahound.errors import ArchiveError, DatahoundError, UserError
from datahound.lab.metrics import Curve
from datahound.model import Choice, Failure, Fetch, Kind, Link, Page, Purpose, Response
from datahound.runs.api import Target, crawl, crawl_blocking
from datahound.settings import Settings
from datahound.strategies import STRATEGIES, make_strategy

__all__ = [
    "STRATEGIES",
    "Archive",
    "ArchiveError",
    "Choice",
    "Crawl",
    "Curve",
    "DatahoundError",
    "Failure",
    "Fetch",
    "Kind",
    "Link",
    "MemoryArchive",
    "Page",
    "Purpose",
    "Response",
    "Settings",
    "Strategy",
    "Target",
    "UserError",
    "crawl",
    "crawl_blocking",
    "make_strategy",
    "open_archive",
    "replay",
]
