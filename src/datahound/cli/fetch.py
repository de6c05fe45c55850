"""`datahound fetch`: the files that a crawl has listed."""

from pathlib import Path
from typing import Annotated

import typer

from datahound.cli.crawl import run_all
from datahound.runs.identity import options_of
from datahound.runs.run import Run


def fetch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    delay: Annotated[str | None, typer.Option(metavar="SECONDS")] = None,
    max_file_size: Annotated[str | None, typer.Option(metavar="SIZE")] = None,
    contact: Annotated[str | None, typer.Option()] = None,
    user_agent: Annotated[str | None, typer.Option()] = None,
    header: Annotated[list[str] | None, typer.Option(metavar="TEXT")] = None,
    proxy: Annotated[str | None, typer.Option(metavar="URL")] = None,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots")] = False,
    connect_to: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
    json: Annotated[bool, typer.Option("--json", help="One event a line.")] = False,
) -> None:
    """Get the files of a crawl that was made with --list-only, or that are still missing.

    datahound fetch www.example.org
    """
    given = {
        "delay": delay,
        "max-file-size": max_file_size,
        "contact": contact,
        "user-agent": user_agent,
        "header": header or None,
        "proxy": proxy,
        "ignore-robots": ignore_robots or None,
        "connect-to": connect_to,
    }
    options = options_of(folder, {k: v for k, v in given.items() if v is not None})
    raise typer.Exit(run_all([options], as_json=json, go=Run.fetch))
