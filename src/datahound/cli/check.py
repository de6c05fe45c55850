"""`datahound check`: whether a crawl folder is whole."""

from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.options import read_given, take_options
from datahound.runs import Problem, check_folder, repair_folder
from datahound.text import show_text

_SHOWN = 20


@take_options(("delay", "header", "proxy", "connect_to"), after="folder")
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    repair: Annotated[
        bool, typer.Option("--repair", help="Fetch lost files again, rebuild damaged databases.")
    ] = False,
    **given: Any,
) -> None:
    """Check the files, the journal and the databases of a crawl, and repair them.

    datahound check www.example.org --repair
    """
    problems = check_folder(folder)
    _show(problems)
    if problems and repair:
        ended = repair_folder(folder, problems, read_given(given))
        if ended is not None:
            typer.echo(str(ended))
        problems = check_folder(folder)
        typer.echo("repaired" if not problems else f"{len(problems)} problems are left")
    raise typer.Exit(1 if problems else 0)


def _show(problems: list[Problem]) -> None:
    for problem in problems[:_SHOWN]:
        typer.echo(show_text(problem))
    if len(problems) > _SHOWN:
        typer.echo(f"and {len(problems) - _SHOWN} more")
    if not problems:
        typer.echo("nothing is damaged or missing")
