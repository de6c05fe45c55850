"""`datahound doctor`: whether this machine has what crawls need."""

import json as to_json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from datahound.operate.doctor import State, examine

_WIDTH = 11


def doctor(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where crawls will be kept.")
    ] = Path(),
    *,
    host: Annotated[
        str, typer.Option(help="The host to try DNS and TLS with.")
    ] = "www.example.org",
    json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
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
            typer.echo(f"{finding.state.value:<{_WIDTH}}{finding.name:<{_WIDTH}}{finding.text}")
    raise typer.Exit(1 if bad else 0)
