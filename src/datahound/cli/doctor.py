"""`datahound doctor`: whether this machine has what crawls need."""

import json as to_json
import shutil
import sys
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from datahound.operate.doctor import Finding, State, examine

_STATE, _NAME = 10, 12
_USUAL, _LEAST = 80, 40


def doctor(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where crawls will be kept.")
    ] = Path(),
    *,
    host: Annotated[
        str, typer.Option(help="The host to try DNS and TLS with.")
    ] = "www.example.org",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check Python, disk, DNS, TLS, the browser and the extras, on one screen.

    datahound doctor
    """
    bad = False
    for finding in examine(folder, host):
        bad = bad or finding.state is State.BAD
        if json:
            typer.echo(to_json.dumps({**asdict(finding), "state": finding.state.value}))
        else:
            typer.echo(_describe(finding))
    raise typer.Exit(1 if bad else 0)


def _describe(finding: Finding) -> str:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _USUAL
    return textwrap.fill(
        finding.text,
        max(columns - 1, _LEAST),
        initial_indent=f"{finding.state.value:<{_STATE}}{finding.name:<{_NAME}}",
        subsequent_indent=" " * (_STATE + _NAME),
        break_on_hyphens=False,
        break_long_words=False,
    )
