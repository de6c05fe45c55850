"""`datahound record`: a website into an archive, to try crawlers on."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from datahound.cli.display import make_display, on_display
from datahound.runs.many import exit_status, go_all, stopped_by_signals
from datahound.runs.options import make_options
from datahound.runs.recording import Recording
from datahound.store.folder import file_name
from datahound.web.urls import host_of


def record(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where to start.")],
    *,
    output: Annotated[
        Path | None, typer.Option(help="The .warc.gz to record into; named for the host.")
    ] = None,
    bodies: Annotated[
        bool, typer.Option("--bodies", help="Record the files too, not only their headers.")
    ] = False,
    target: Annotated[list[str] | None, typer.Option(help="Which types are files.")] = None,
    strategy: Annotated[str, typer.Option(help="In which order to go.")] = "bfs",
    budget: Annotated[str | None, typer.Option(metavar="N")] = None,
    max_bytes: Annotated[str | None, typer.Option(metavar="SIZE")] = None,
    max_time: Annotated[str | None, typer.Option(metavar="DURATION")] = None,
    max_file_size: Annotated[str | None, typer.Option(metavar="SIZE")] = None,
    delay: Annotated[str | None, typer.Option(metavar="SECONDS")] = None,
    contact: Annotated[str | None, typer.Option()] = None,
    user_agent: Annotated[str | None, typer.Option()] = None,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots")] = False,
    connect_to: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
) -> None:
    """Record a website breadth first; the same command again goes on with it.

    datahound record https://www.example.org --budget 10000
    """
    given = {
        "target": target or None,
        "strategy": strategy,
        "budget": budget,
        "max-bytes": max_bytes,
        "max-time": max_time,
        "max-file-size": max_file_size,
        "delay": delay,
        "contact": contact,
        "user-agent": user_agent,
        "ignore-robots": ignore_robots or None,
        "connect-to": connect_to,
        "early-stop": False,
    }
    options = make_options(url, given)
    path = output or Path(f"{file_name(host_of(options.url))}.warc.gz")
    raise typer.Exit(asyncio.run(_record(Recording(options, path, bodies=bodies))))


async def _record(recording: Recording) -> int:
    with stopped_by_signals([recording]):
        async with on_display(make_display(as_json=False), [recording]):
            endings = await go_all([recording], Recording.go)
    return exit_status(endings)
