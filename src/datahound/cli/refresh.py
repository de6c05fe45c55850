"""`datahound refresh`: what is new, changed and gone on sites that were crawled before."""

import json as to_json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.crawl import (
    AtOnceOption,
    EventsOption,
    LogOption,
    MetricsFileOption,
    NoCatalogFlag,
    PlainFlag,
    VerboseFlag,
    show_whatsnew,
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
from datahound.news.whatsnew import check_since, choose_versions, publish_whatsnew
from datahound.news.words import sum_up
from datahound.operate.event_log import parse_selection
from datahound.runs import options_of_each
from datahound.runs.run import RoundRequest, exit_status

_FAIL_KINDS = ("gone", "schema")
_OPTIONS = (
    "max_bytes", "max_time", "max_file_size", "delay", "concurrency", "contact", "user_agent",
    "header", "cookies", "proxy", "sign", "sign_agent", "ignore_robots", "connect_to", "set",
)  # fmt: skip
"""What a site is and how a crawl chooses comes from the folder."""
_Hook = Annotated[str | None, typer.Option(metavar="URL", help="Post the JSON there.")]
_Key = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file with the key that signs what is posted.")
]
_Folders = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of crawls.")]
_Since = Annotated[
    int | None, typer.Option(min=0, metavar="ROUND", help="Say what is new since this round.")
]
_Versions = Annotated[
    str | None,
    typer.Option(
        metavar="N", help="Versions before the current one that are kept of each file; or all."
    ),
]
_FailOn = Annotated[
    str,
    typer.Option(
        metavar="KINDS", help="Exit with 4 if files are gone, or have other columns: schema."
    ),
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per folder.")]


@take_options(_OPTIONS, after="folders")
def refresh(
    folders: _Folders,
    *,
    budget: BudgetOption = None,
    share: ShareOption = None,
    until_empty: UntilEmptyFlag = False,
    since: _Since = None,
    versions: _Versions = None,
    fail_on: _FailOn = "",
    webhook: _Hook = None,
    webhook_key: _Key = None,
    no_catalog: NoCatalogFlag = False,
    metrics_file: MetricsFileOption = None,
    at_once: AtOnceOption = None,
    json: _AsJson = False,
    log: LogOption = None,
    events: EventsOption = None,
    plain: PlainFlag = False,
    verbose: VerboseFlag = False,
    **given: Any,
) -> None:
    """Look for what is new on sites that were crawled before; without a limit, everywhere.

    datahound refresh www.example.org --share 0.1
    """
    fail_kinds = _parse_fail_on(fail_on)
    check_webhook(webhook, webhook_key)
    planned = options_of_each(folders, read_given(given))
    keeps = [choose_versions(versions, one.settings().refresh.versions) for one in planned]
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
    request = RoundRequest(budget, share, until_empty)
    status = run_all(planned, manner, partial(refresh_run, request=request))
    changes = [
        _show(folder, publish_whatsnew(folder, since, keep), as_json=json)
        for folder, keep in zip(folders, keeps, strict=True)
    ]
    if len(changes) > 1 and not json:
        typer.echo(sum_up(changes))
    if webhook:
        post_signed(webhook, changes, webhook_key)
    raise typer.Exit(status or exit_status(changes, fail_kinds))


def _parse_fail_on(text: str) -> list[str]:
    fail_kinds = [name.strip() for name in text.split(",") if name.strip()]
    if wrong := next((name for name in fail_kinds if name not in _FAIL_KINDS), None):
        raise UserError(f"--fail-on: {wrong!r} is not one of {', '.join(_FAIL_KINDS)}")
    return fail_kinds


def _show(folder: Path, found: dict[str, Any], *, as_json: bool) -> dict[str, Any]:
    """Print what is new on a site, and give it back."""
    if as_json:
        typer.echo(to_json.dumps(found, ensure_ascii=False))
        return found
    show_whatsnew(folder, found)
    return found
