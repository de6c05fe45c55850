"""`datahound serve`: crawls and their data in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from datahound.cli.options import HostOption, PortOption, TokenOption
from datahound.dashboard.app import RunningDashboard, serve_until_stopped
from datahound.remote.local_copy import find_local


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
