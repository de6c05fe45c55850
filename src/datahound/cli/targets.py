"""`datahound targets`: the names that `--target` takes, and what each of them means."""

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from datahound.cli.tables import console
from datahound.web.targets import PAPER, SHOWN_NAMES, find_wanted, parse_targets

_NOTE = (
    "An answer counts by its MIME type, by the name of its file (in the URL, in Content-Disposition"
    " or in the link) and, where these disagree or say little, by its first bytes; x.csv.gz counts"
    " as csv. --target also takes extensions (.px), MIME types (text/csv) and /regular"
    " expressions/ for URLs. Without it, a crawl looks for `all`, and `replay` and `lab` for"
    " `paper`: the 38 MIME types of the paper, whatever the names are."
)


def targets(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Only these, with all details.")
    ] = None,
) -> None:
    """List the names that --target takes, and what each of them means.

    datahound targets tables
    """
    words = sorted(parse_targets(names)) if names else [*SHOWN_NAMES, PAPER]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("extensions", ratio=1, overflow="fold")
    if names:
        table.add_column("MIME types", ratio=2, overflow="fold")
    for word in words:
        wanted = find_wanted(frozenset({word}))
        cells = [" ".join(sorted(wanted.extensions)), " ".join(sorted(wanted.mime_types))]
        table.add_row(word, *cells[: 2 if names else 1])
    console().print(table)
    typer.echo(_NOTE)
