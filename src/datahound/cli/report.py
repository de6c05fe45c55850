"""`datahound report`: a crawl on one page."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from datahound.errors import DatahoundError, UserError
from datahound.report.page import write_report
from datahound.runs.comparison import replay_breadth_first

_SECONDS = 20.0
_SECONDS_AT_END = 5.0


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="DIR/report.html by default.")
    ] = None,
) -> None:
    """Describe a crawl on one page that works offline and prints well.

    datahound report www.example.org
    """
    if output is not None and output.is_dir():
        raise UserError(f"{output}: is a folder; give a file to write the report to")
    bfs = replay_breadth_first(folder, _SECONDS)
    typer.echo(write_report(folder, output=output, bfs_found_at=bfs))


def report_ended(folders: Sequence[Path]) -> None:
    """Write the report of each crawl that has ended; prints a line for each that fails."""
    for folder in folders:
        try:
            if (folder / "crawl.db").exists():
                bfs = replay_breadth_first(folder, _SECONDS_AT_END)
                write_report(folder, bfs_found_at=bfs)
        except DatahoundError as error:
            print(f"datahound: no report: {error}", file=sys.stderr)
