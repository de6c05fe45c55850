"""`datahound status`: the state of a crawl."""

import json as to_json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from datahound.cli.tables import shorten_path
from datahound.remote.local_copy import find_local
from datahound.report.phrases import SKIPS
from datahound.report.status import CrawlStatus, read_status
from datahound.units import show_count, show_duration, show_size

_SHOWN_REASONS = 8


def status(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the state of a crawl, running or not.

    datahound status www.example.org
    """
    report = read_status(find_local(folder, files=False))
    if json:
        typer.echo(to_json.dumps(_plain(report), ensure_ascii=False))
        return
    console = Console()
    console.print(_table(report))
    console.print(_state(report), highlight=False, markup=False, soft_wrap=True)


def _plain(report: CrawlStatus) -> dict[str, Any]:
    """The report as JSON can hold it: enums by their values."""
    return {
        **asdict(report),
        "cause": report.cause.value if report.cause else None,
        "skipped": {reason.value: count for reason, count in report.skipped.items()},
    }


def _state(report: CrawlStatus) -> str:
    if report.running:
        return "paused" if report.paused else "running"
    return report.ended if report.cause else "cut off: the same crawl command goes on with it"


def _table(report: CrawlStatus) -> Table:
    table = Table.grid(padding=(0, 3))
    table.add_column(no_wrap=True)
    # Addresses and options in it must be whole.
    table.add_column(overflow="fold")
    table.add_row("site", Text(report.seed), style="bold")
    table.add_row("strategy", report.strategy)
    if report.began_at and report.last_at:
        table.add_row("crawled for", show_duration(report.seconds))
    table.add_row("requests", f"{report.requests:,}, {show_size(report.bytes)}")
    table.add_row("pages", f"{report.pages:,}")
    table.add_row("files found", f"{report.targets:,}")
    for state, (count, size) in report.files.items():
        table.add_row(f"  {state}", f"{count:,}, {show_size(size)}")
    if report.listed:
        table.add_row("  listed only", f"{report.listed} (datahound fetch gets them)")
    for number, (reason, count) in enumerate(report.skipped.items()):
        if number < _SHOWN_REASONS:
            table.add_row("" if number else "skipped", f"{count} {SKIPS[reason].phrase}")
    for number, (path, visits, targets) in enumerate(report.best_actions):
        what = (
            f"{show_count(targets, 'file')} on {show_count(visits, 'page')} by {shorten_path(path)}"
        )
        table.add_row("" if number else "best links", Text(what))
    for number, line in enumerate(report.portals):
        table.add_row("" if number else "portals", Text(line))
    for number, sentence in enumerate(report.missed):
        table.add_row("" if number else "probably missed", Text(sentence))
    return table
