"""The state of a fleet on a terminal: a few lines, and a table of the sites to look at first."""

import typer
from rich.table import Table
from rich.text import Text

from datahound.cli.tables import console
from datahound.fleet.status import FleetStatus, SiteStatus
from datahound.units import show_count

_SHOWN = 40
_SHOWN_WORKERS = 3
# What fails first: of thousands of sites, few are shown.
_ORDER = ("failed", "paused", "running", "waiting", "finished")


def describe_fleet(found: FleetStatus) -> str:
    """Sites by state, and what they have brought; a second line if workers are to stop."""
    states = ", ".join(
        f"{found.counts[state]:,} {state}" for state in _ORDER if found.counts[state]
    )
    news = ", ".join(f"{count:,} {kind}" for kind, count in found.news.items())
    line = (
        f"{show_count(len(found.sites), 'site')}: {states or 'none'};"
        f" {show_count(found.files, 'file')} in {show_count(found.requests, 'request')}"
        + (f"; {news}" if any(one.site.round for one in found.sites) else "")
    )
    return "\n".join([line, *found.damaged, *([found.halt] if found.halt else [])])


def print_fleet(found: FleetStatus) -> None:
    """Print the state of a fleet, no wider than the terminal."""
    typer.echo(describe_fleet(found))
    typer.echo(_describe_workers(found))
    if not found.sites:
        return
    ordered = sorted(found.sites, key=lambda one: _ORDER.index(one.state))
    console().print(_draw_table(ordered[:_SHOWN]))
    if len(ordered) > _SHOWN:
        typer.echo(f"and {show_count(len(ordered) - _SHOWN, 'more site')}: --json")


def _describe_workers(found: FleetStatus) -> str:
    names = found.workers[:_SHOWN_WORKERS]
    more = len(found.workers) - len(names)
    listed = ", ".join([*names, *([f"{more:,} more"] if more else [])])
    workers = show_count(len(found.workers), "worker")
    return f"{workers}: {listed}" if listed else workers


def _draw_table(sites: list[SiteStatus]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), expand=True)
    # Shares, not widths of the contents: long addresses and reasons would leave figures no room.
    table.add_column("site", no_wrap=True, overflow="ellipsis", ratio=4)
    table.add_column("state", no_wrap=True)
    for heading in ("requests", "files", "new"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why, or by whom", no_wrap=True, overflow="ellipsis", ratio=3)
    for one in sites:
        table.add_row(
            # As typed: the name of its folder is the name of the host, cut in the same places.
            Text(one.site.url.partition("://")[2].rstrip("/")), one.state, f"{one.requests:,}",
            f"{one.files:,}", f"{one.site.news['new']:,}" if one.site.news else "",
            Text(one.worker or one.site.reason),
        )  # fmt: skip
    return table
