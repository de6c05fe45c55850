"""The steps after a crawl: its catalogue, then its report; both from what the folder holds.

A failed step costs the user a line and never the crawl, whose results are on the disk by then.
"""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from datahound.catalog.update import Source, Updated, update
from datahound.errors import DatahoundError
from datahound.report.page import write_report
from datahound.runs.comparison import replay_breadth_first
from datahound.runs.options import Options
from datahound.runs.outcome import BAD_INPUT, INTERRUPTED, Ended
from datahound.store.folder import Folder
from datahound.store.queries import iterate_kept_files

_COMPARISON_SECONDS = 5.0

Catalogue = Callable[[Path], object]
"""Brings the catalogue of a folder up to date."""


def finish_crawls(
    crawls: Iterable[tuple[Options, Ended]],
    *,
    catalogue: Catalogue | None,
    complain: Callable[[str], None],
) -> None:
    """Write the catalogues, then the reports, of crawls that have ended; None: no catalogue."""
    # Bad input means that the folder may belong to another crawl.
    ended = [(options, ended) for options, ended in crawls if ended.status != BAD_INPUT]
    for options, ending in ended:
        # A user who interrupts a crawl wants the prompt back, and a catalogue takes minutes.
        if catalogue and not options.list_only and ending.status != INTERRUPTED:
            _try_step("catalogue", catalogue, options.output, complain)
    for options, _ in ended:
        _try_step("report", report_crawl, options.output, complain)


def finish_crawl(options: Options, ended: Ended) -> None:
    """Write the catalogue and the report of one crawl; errors go to the log."""
    complain = logging.getLogger(__name__).warning
    finish_crawls([(options, ended)], catalogue=update_catalog, complain=complain)


def _try_step(
    name: str, step: Callable[[Path], object], folder: Path, complain: Callable[[str], None]
) -> None:
    try:
        if Folder(folder).database.exists():
            step(folder)
    except DatahoundError as error:
        complain(f"no {name}: {error}")
    except Exception as error:  # noqa: BLE001 files of strangers must not lose the crawl
        reason = " ".join(str(error).split())
        complain(f"no {name}: a fault in Datahound: {type(error).__name__}: {reason}")


def update_catalog(
    folder: Path, *, again: bool = False, progress: Callable[[int, int], None] | None = None
) -> Updated:
    """Bring the catalogue up to date with the files that the crawl has kept."""
    kept = iterate_kept_files(Folder(folder).database)
    sources = [Source(*file[:-1]) for file in kept if file.is_readable]
    return update(folder, sources, again=again, progress=progress)


def report_crawl(
    folder: Path, *, output: Path | None = None, seconds: float = _COMPARISON_SECONDS
) -> Path:
    """Write the report; its comparison with breadth-first order may take this many seconds."""
    found_at = replay_breadth_first(folder, seconds)
    return write_report(folder, output=output, bfs_found_at=found_at)
