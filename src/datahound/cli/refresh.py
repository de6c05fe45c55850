"""`datahound refresh`: what is new, changed and gone on sites that were crawled before."""

import json as to_json
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.crawl import (
    AtOnceOption,
    EventsOption,
    LogOption,
    MetricsFileOption,
    PlainFlag,
    VerboseFlag,
)
from datahound.cli.options import (
    BudgetOption,
    ShareOption,
    UntilEmptyFlag,
    read_given,
    take_options,
)
from datahound.cli.running import Manner, refresh_run, run_all
from datahound.errors import UserError
from datahound.news.webhook import check_webhook, post_signed
from datahound.news.whatsnew import check_since, choose_versions, tell_whatsnew
from datahound.news.words import describe_whatsnew, sum_up
from datahound.operate.event_log import parse_selection
from datahound.runs import options_of_each
from datahound.runs.run import RoundRequest, Run, exit_status

FEARED = ("gone", "schema")
_OPTIONS = (
    "max_bytes", "max_time", "max_file_size", "delay", "concurrency", "contact", "user_agent",
    "header", "cookies", "proxy", "sign", "sign_agent", "ignore_robots", "connect_to", "set",
)  # fmt: skip
"""What a site is and how a crawl chooses comes from the folder."""
_Hook = Annotated[str | None, typer.Option(metavar="URL", help="Post the JSON there.")]
_Key = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file with the key that signs what is posted.")
]


@take_options(_OPTIONS, after="folders")
def refresh(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of crawls.")],
    *,
    budget: BudgetOption = None,
    share: ShareOption = None,
    until_empty: UntilEmptyFlag = False,
    since: Annotated[
        int | None, typer.Option(min=0, metavar="ROUND", help="Say what is new since this round.")
    ] = None,
    versions: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Versions before the current one that are kept of each file; or all."
        ),
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="KINDS", help="Exit with 4 if files are gone, or have other columns: schema."
        ),
    ] = "",
    webhook: _Hook = None,
    webhook_key: _Key = None,
    no_catalog: Annotated[
        bool, typer.Option("--no-catalog", help="Do not look into the files at the end.")
    ] = False,
    metrics_file: MetricsFileOption = None,
    at_once: AtOnceOption = None,
    json: Annotated[bool, typer.Option("--json", help="One object per folder.")] = False,
    log: LogOption = None,
    events: EventsOption = None,
    plain: PlainFlag = False,
    verbose: VerboseFlag = False,
    **given: Any,
) -> None:
    """Look for what is new on sites that were crawled before; without a limit, everywhere.

    datahound refresh www.example.org --share 0.1
    """
    feared = [name.strip() for name in fail_on.split(",") if name.strip()]
    if wrong := next((name for name in feared if name not in FEARED), None):
        raise UserError(f"--fail-on: {wrong!r} is not one of {', '.join(FEARED)}")
    check_webhook(webhook, webhook_key)
    request = RoundRequest(budget, share, until_empty)
    planned = options_of_each(folders, read_given(given))
    keeps = [choose_versions(versions, one.settings().refresh.versions) for one in planned]
    go: Callable[[Run], Coroutine[Any, Any, Any]] = partial(refresh_run, request=request)
    if since is not None:
        check_since(folders, since)
    manner = Manner(
        hidden=json,
        plain=plain,
        verbose=verbose,
        catalog=not no_catalog,
        metrics_file=metrics_file,
        at_once=at_once,
        log=log,
        events=parse_selection(events or "all"),
    )
    status = run_all(planned, manner, go)
    changes = []
    for folder, keep in zip(folders, keeps, strict=True):
        changes.append(found := tell_whatsnew(folder, since, keep))
        _show(folder, found, as_json=json)
    if len(changes) > 1 and not json:
        typer.echo(sum_up(changes))
    if webhook:
        post_signed(webhook, changes, webhook_key)
    raise typer.Exit(status or exit_status(changes, feared))


def _show(folder: Path, found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        typer.echo(to_json.dumps(found, ensure_ascii=False))
        return
    typer.echo(f"{folder}: round {found['round']}")
    typer.echo("".join(f"  {line}\n" for line in describe_whatsnew(found)), nl=False)
    typer.echo(f"  see {folder / 'whatsnew.html'}")
