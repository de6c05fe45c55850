"""`datahound fetch`: the files that a crawl has listed."""

from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.crawl import PlainFlag
from datahound.cli.options import read_given, take_options
from datahound.cli.running import Manner, run_all
from datahound.runs import Run
from datahound.runs.options import options_of

_OPTIONS = (
    "delay", "max_file_size", "contact", "user_agent", "header", "proxy", "ignore_robots",
    "connect_to", "set",
)  # fmt: skip


@take_options(_OPTIONS, after="folder")
def fetch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON event per line.")] = False,
    plain: PlainFlag = False,
    **given: Any,
) -> None:
    """Get the files of a crawl that was made with --list-only, or that are still missing.

    datahound fetch www.example.org
    """
    options = options_of(folder, read_given(given))
    raise typer.Exit(run_all([options], Manner(json, plain), Run.fetch))
