"""`datahound refresh`: what is new, changed and gone on sites that were crawled before."""

import json as to_json
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.running import Manner, run_all
from datahound.errors import UserError
from datahound.news.webhook import post_signed
from datahound.news.whatsnew import describe_whatsnew, read_whatsnew, sum_up, write_whatsnew
from datahound.runs.options import options_of
from datahound.runs.outcome import Ended
from datahound.runs.run import RoundRequest, Run, exit_status

FEARED = ("gone",)
_Hook = Annotated[str | None, typer.Option(metavar="URL", help="Post the JSON there.")]
_Key = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file with the key that signs what is posted.")
]


async def refresh_run(run: Run, request: RoundRequest) -> Ended:
    """Go on with what has not ended, or else begin a round of what may be new."""
    run.request = request
    return await run.go()


def refresh(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of crawls.")],
    *,
    budget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Requests at most, for each site.")
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(metavar="S", help="The same as a share of known pages and files, as 0.1."),
    ] = None,
    until_empty: Annotated[
        bool, typer.Option("--until-empty", help="End when little more is expected.")
    ] = False,
    since: Annotated[
        int | None, typer.Option(min=0, metavar="ROUND", help="Say what is new since this round.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option(metavar="KINDS", help="Exit with 4 if files of this kind exist: gone.")
    ] = "",
    webhook: _Hook = None,
    webhook_key: _Key = None,
    no_catalog: Annotated[
        bool, typer.Option("--no-catalog", help="Do not look into the files at the end.")
    ] = False,
    delay: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="Between two requests to a host.")
    ] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="One object per folder.")] = False,
) -> None:
    """Look for what is new on sites that were crawled before; without a limit, everywhere.

    datahound refresh www.example.org --share 0.1
    """
    feared = [name.strip() for name in fail_on.split(",") if name.strip()]
    if wrong := next((name for name in feared if name not in FEARED), None):
        raise UserError(f"--fail-on: {wrong!r} is not one of {', '.join(FEARED)}")
    request = RoundRequest(budget, share, until_empty)
    planned = [options_of(folder, {"delay": delay}) for folder in folders]
    go: Callable[[Run], Coroutine[Any, Any, Any]] = partial(refresh_run, request=request)
    status = run_all(planned, Manner(plain=True, catalog=not no_catalog), go)
    changes = [read_whatsnew(folder, since) for folder in folders]
    for folder, found in zip(folders, changes, strict=True):
        write_whatsnew(folder, found)
        if json:
            typer.echo(to_json.dumps(found, ensure_ascii=False))
            continue
        typer.echo(f"{folder}: round {found['round']}")
        typer.echo("".join(f"  {line}\n" for line in describe_whatsnew(found)), nl=False)
        typer.echo(f"  see {folder / 'whatsnew.html'}")
    if len(changes) > 1 and not json:
        typer.echo(sum_up(changes))
    if webhook:
        post_signed(webhook, changes, webhook_key)
    raise typer.Exit(status or exit_status(changes, feared))
