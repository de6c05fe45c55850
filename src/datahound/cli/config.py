"""`datahound config`: the file of options."""

import os
from pathlib import Path
from typing import Annotated

import typer

from datahound.cli.config_file import list_unknown_variables, write_example
from datahound.errors import UserError
from datahound.files import write_whole

app = typer.Typer(
    help="The file of options: write one that lists all of them, and check one.",
    no_args_is_help=True,
)
_File = Annotated[Path, typer.Argument(metavar="FILE", help="The TOML file.")]
_NAME = Path("datahound.toml")
_SHOWN = 20


@app.command()
def init(
    file: _File = _NAME,
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a file that lists every option with its comment.

    datahound config init
    """
    if file.exists() and not force:
        raise UserError(f"{file}: exists; --force replaces it")
    with write_whole(file) as draft:
        draft.write_text(write_example(), "utf-8")
    typer.echo(f"{file}: edit it, then: datahound config check {file}")


@app.command()
def check(file: _File = _NAME) -> None:
    """Check a file of options, its file of sites and the environment; nothing is requested.

    datahound config check datahound.toml
    """
    # Imported here: `config init` needs no crawler.
    from datahound.cli.crawl import plan_command  # noqa: PLC0415

    planned, _ = plan_command([], None, file, {})
    for options in planned[:_SHOWN]:
        typer.echo(f"{options.url} into {options.output}")
    if len(planned) > _SHOWN:
        typer.echo(f"and {len(planned) - _SHOWN:,} more")
    for name in list_unknown_variables(os.environ):
        typer.echo(f"{name} is not an option and was ignored")
    typer.echo(f"{file}: good")
