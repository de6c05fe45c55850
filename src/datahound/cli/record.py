"""`datahound record`: a website into an archive, to try crawlers on."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.options import read_given, take_options
from datahound.display.display import describe_line, make_display, on_display
from datahound.errors import UserError
from datahound.report.phrases import Cause
from datahound.runs import Recording, exit_status, go_all, stopped_by_signals
from datahound.runs.options import make_options
from datahound.store.folder import file_name
from datahound.web.urls import host_of

_OPTIONS = (
    "target", "budget", "max_bytes", "max_time", "max_file_size", "delay", "contact", "user_agent",
    "ignore_robots", "connect_to", "set",
)  # fmt: skip


@take_options(_OPTIONS, after="strategy")
def record(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where to start.")],
    *,
    output: Annotated[
        Path | None, typer.Option(help="The .warc.gz to record into; named for the host.")
    ] = None,
    bodies: Annotated[
        bool, typer.Option("--bodies", help="Record the files too, not only their headers.")
    ] = False,
    strategy: Annotated[str, typer.Option(help="The order in which links are followed.")] = "bfs",
    **given: Any,
) -> None:
    """Record a website breadth first; the same command again continues.

    datahound record https://www.example.org --budget 10000
    """
    asked = {"strategy": strategy, "early-stop": False, **read_given(given)}
    options = make_options(url, asked)
    path = output or Path(f"{file_name(host_of(options.url))}.warc.gz")
    raise typer.Exit(asyncio.run(_record(Recording(options, path, bodies=bodies))))


async def _record(recording: Recording) -> int:
    with stopped_by_signals([recording]):
        async with on_display(make_display(), [recording]):
            endings = await go_all([recording], Recording.go)
    if endings[0].cause is Cause.BAD_INPUT:
        raise UserError(endings[0].reason)
    begun = bool(recording.progress.tally.requests)
    said = [describe_line(recording), *recording.remarks] if begun else []
    print(*said, f"{recording.path}: {endings[0]}", sep="\n")
    return exit_status(endings)
