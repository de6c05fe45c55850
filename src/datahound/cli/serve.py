"""`datahound serve`: crawls and their data in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from datahound.dashboard.app import RunningDashboard, serve_until_stopped
from datahound.remote.local_copy import find_local

PortOption = Annotated[int, typer.Option(help="0 for any that is free.")]
HostOption = Annotated[
    str, typer.Option(help="Another address than this machine's own needs a token.")
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        help="What a browser must know; made up where it is needed and not given.",
        envvar="DATAHOUND_TOKEN",
    ),
]


def serve(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DIR...", help="Folders of crawls, or folders of such folders."),
    ] = None,
    *,
    port: PortOption = 8484,
    host: HostOption = "127.0.0.1",
    token: TokenOption = None,
) -> None:
    """Look at crawls in a browser while they run and after, and at the data they found.

    datahound serve www.example.org
    """
    copies = [find_local(folder) for folder in folders or [Path()]]
    serve_until_stopped(copies, host, port, token, _announce)


def _announce(serving: RunningDashboard) -> None:
    crawls = "1 crawl" if serving.crawls == 1 else f"{serving.crawls} crawls"
    typer.echo(f"{crawls} at {serving.link} (Ctrl-C ends it)")
