"""`datahound report`: a crawl on one page."""

from pathlib import Path
from typing import Annotated

import typer

from datahound.errors import UserError
from datahound.runs import report_crawl

_COMPARISON_SECONDS = 20.0


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
    typer.echo(report_crawl(folder, output=output, seconds=_COMPARISON_SECONDS))
