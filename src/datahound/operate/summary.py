"""What a crawl brought, in a few figures: for the end of a crawl, and for `summary.csv`."""

import csv
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from datahound.catalog.catalog import Catalog
from datahound.errors import DatahoundError
from datahound.files import write_whole
from datahound.report.page import estimate_remaining
from datahound.report.phrases import HINTS, Cause
from datahound.report.status import CrawlStatus, has_failed, read_status
from datahound.runs import Ended
from datahound.runs.options import Options
from datahound.store import queries
from datahound.store.folder import Folder
from datahound.text import guard_formula

NAME = "summary.csv"
_REPORT = "report.html"
_WITH_BYTES = ("complete", "suspicious")


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """A crawl that has ended: one row of `summary.csv`."""

    site: str
    folder: Path
    cause: str
    reason: str
    status: int
    files: int = 0
    """Data files found."""
    kept: int = 0
    kept_bytes: int = 0
    copies: int = 0
    """Data files with the same bytes as another one."""
    failed: int = 0
    """Data files that could not be downloaded."""
    tables: int | None = None
    """Tables in the files; None without a catalogue."""
    requests: int = 0
    seconds: float = 0.0
    """From the first request to the last, without the time between runs."""
    report: Path | None = None
    left: str = ""
    missed: tuple[str, ...] = ()
    hint: str = ""
    list_only: bool = False
    portals: tuple[str, ...] = ()
    """What portals list, and how much of it was found."""

    @property
    def failed_crawl(self) -> bool:
        """Whether something went wrong; an interrupted crawl did not fail."""
        return has_failed(self.status)


def summarize_crawl(options: Options, ended: Ended) -> CrawlSummary:
    """Read what a crawl brought from its folder, as far as there is one."""
    summary = CrawlSummary(
        options.url, options.output, ended.cause.value, ended.reason, ended.status, hint=ended.hint
    )
    if ended.cause is Cause.BAD_INPUT or not Folder(options.output).database.exists():
        return summary
    try:
        return _read_summary(options, ended, read_status(options.output))
    except (DatahoundError, sqlite3.Error):
        return summary


def _read_summary(options: Options, ended: Ended, status: CrawlStatus) -> CrawlSummary:
    folder = options.output
    # Duplicates have their bytes in the file of another URL.
    kept = [status.files[state] for state in _WITH_BYTES if state in status.files]
    failed = status.files.get("failed")
    report = folder / _REPORT
    return CrawlSummary(
        options.url,
        folder,
        ended.cause.value,
        ended.reason,
        ended.status,
        status.targets,
        sum(state.files for state in kept),
        sum(state.bytes for state in kept),
        status.files["duplicate"].files if "duplicate" in status.files else 0,
        failed.files if failed else 0,
        _count_tables(folder),
        status.requests,
        round(status.seconds, 1),
        report if report.exists() else None,
        _estimate_left(folder, ended),
        status.missed,
        HINTS.get(ended.cause, ""),
        options.list_only,
        status.portals,
    )


def _count_tables(folder: Path) -> int | None:
    if not Catalog.exists(folder):
        return None
    with Catalog(folder) as catalog:
        return catalog.summary().tables


def _estimate_left(folder: Path, ended: Ended) -> str:
    if ended.cause in (Cause.EXHAUSTED, Cause.FINISHED_BEFORE, Cause.NO_START_PAGE):
        return ""
    estimate = estimate_remaining(folder)
    if estimate:
        return estimate.sentence
    with queries.open_folder(folder) as connection:
        waiting = (queries.read_fact(connection, "now") or {}).get("waiting_links", 0)
    links = "1 link was" if waiting == 1 else f"{waiting:,} links were"
    return f"It is too early to say; {links} not followed." if waiting else ""


def write_summaries(summaries: Sequence[CrawlSummary]) -> Path:
    """Write a row per crawl into the folder that holds the folders of all."""
    path = _find_common_folder(summaries) / NAME
    names = [field.name for field in fields(CrawlSummary)]
    # With the mark that makes spreadsheets read UTF-8.
    with write_whole(path) as draft, draft.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(names)
        for summary in summaries:
            table.writerow([_show_cell(getattr(summary, name)) for name in names])
    return path


def _find_common_folder(summaries: Sequence[CrawlSummary]) -> Path:
    common = Path(os.path.commonpath([s.folder.absolute().parent for s in summaries]))
    return common.relative_to(Path.cwd()) if common.is_relative_to(Path.cwd()) else common


def _show_cell(value: object) -> object:
    if isinstance(value, tuple):
        value = " ".join(value)
    return "" if value is None else guard_formula(value)
