"""What is made of a crawl when it has ended: its catalogue and its report."""

import sys
from collections.abc import Iterable
from pathlib import Path

from datahound.cli.catalog import update_catalog
from datahound.cli.report import report_ended
from datahound.errors import DatahoundError
from datahound.runs.options import Options
from datahound.runs.outcome import INTERRUPTED, Ended

_NOT_OURS = 2


def look_back(
    planned: Iterable[Options], endings: Iterable[Ended], *, catalog: bool, shown: bool
) -> None:
    """Look into what was kept, and write the report; what goes wrong costs a line, not the crawl.

    Whoever interrupts a crawl wants to be done: the report is made, the catalogue is not.
    """
    ended = [pair for pair in zip(planned, endings, strict=True) if pair[1].status != _NOT_OURS]
    for options, ending in ended:
        if catalog and not options.list_only and ending.status != INTERRUPTED:
            _catalogue(options.output, shown=shown)
    report_ended([options.output for options, _ in ended])


def _catalogue(folder: Path, *, shown: bool) -> None:
    try:
        if (folder / "crawl.db").exists():
            update_catalog(folder, shown=shown)
    except DatahoundError as error:
        print(f"datahound: no catalogue: {error}", file=sys.stderr)
