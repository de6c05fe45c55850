"""`datahound fleet`: many sites on many machines, which share one store."""

import json as to_json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from datahound.cli.options import (
    BudgetOption,
    HostOption,
    PortOption,
    ShareOption,
    TokenOption,
    UntilEmptyFlag,
    read_given,
    refuse_mistakes,
    take_options,
)
from datahound.cli.sites_file import read_sites
from datahound.cli.tables import console
from datahound.dashboard.app import RunningDashboard, serve_until_stopped
from datahound.errors import UserError
from datahound.fleet.launch import (
    WorkerSettings,
    make_settings,
    run_on_ray,
    run_processes,
    run_worker,
)
from datahound.fleet.merged import merge_catalogs
from datahound.fleet.orders import (
    Listed,
    add_sites,
    allow_round,
    begin_work,
    is_stopped,
    make_site,
    open_fleet,
    stop_work,
)
from datahound.fleet.status import (
    FleetStatus,
    SiteStatus,
    list_workers,
    read_fleet,
    read_groups,
    write_prometheus,
)
from datahound.fleet.view import FleetView
from datahound.remote.objects import open_objects
from datahound.runs import RoundRequest
from datahound.runs.option_values import merge_given
from datahound.units import show_count

app = typer.Typer(
    help="Many sites on many machines, which share one store.",
    no_args_is_help=True,
)
_COMMON = ("target", "budget", "max_time", "delay", "concurrency", "contact", "connect_to", "set")

_Store = Annotated[
    str, typer.Option(metavar="PLACE", help="s3://bucket/prefix, or a folder all workers share.")
]
_Sites = Annotated[
    Path,
    typer.Argument(
        metavar="SITES",
        help="A file of sites: text, CSV or TOML, with options for each, --priority N and"
        " --deadline DATE among them.",
    ),
]
_AtOnce = Annotated[
    int, typer.Option(min=0, metavar="N", help="Sites at a time and worker; 0: as many as fit.")
]
_Term = Annotated[
    str, typer.Option(metavar="DURATION", help="A worker silent for this long counts as dead.")
]
_ShipEvery = Annotated[
    str, typer.Option(metavar="DURATION", help="How often crawls are shipped to the store.")
]
_Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Ray cluster, such as auto; local starts one."),
]
_TotalBudget = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Requests of the whole fleet at most, roughly."),
]
_Work = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder for the crawls under way: fleet-work by default."),
]


@app.command()
@take_options(_COMMON, after="store")
def add(sites: _Sites, *, store: _Store, **given: Any) -> None:
    """Add sites to a fleet; those that it already has get the new options.

    datahound fleet add sites.txt --store s3://bucket/fleet
    """
    _add(sites, store, read_given(given))


def _add(sites: Path, store: str, given: dict[str, Any]) -> None:
    added = add_sites(open_objects(store), _read_sites(sites, given))
    unresolved = f"; {added.unresolved} without an address now" if added.unresolved else ""
    groups = show_count(added.groups, "group")
    typer.echo(f"{show_count(added.sites, 'site')} in {groups} by address{unresolved}")


def _read_sites(path: Path, given: dict[str, Any]) -> list[Listed]:
    """The sites of a file, each of them once; all mistakes are said together."""
    listed: dict[str, Listed] = {}
    places: dict[str, str] = {}
    mistakes = []
    for line in read_sites(path):
        try:
            site, options = make_site(line.url, merge_given(given, line.options))
        except UserError as error:
            mistakes.append(f"{line.place}: {error}")
            continue
        if site.slug in listed:
            before = places[site.slug].rpartition(", ")[2]
            mistakes.append(f"{line.place}: {site.url} ({before}) is listed twice")
        listed[site.slug], places[site.slug] = (site, options), line.place
    refuse_mistakes(mistakes)
    return list(listed.values())


@app.command()
@take_options(_COMMON, after="store")
def run(
    sites: _Sites,
    *,
    store: _Store,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="How many workers.")] = 1,
    ray: _Ray = None,
    total_budget: _TotalBudget = None,
    at_once: _AtOnce = 0,
    term: _Term = "60s",
    ship_every: _ShipEvery = "30s",
    work: _Work = None,
    **given: Any,
) -> None:
    """Add sites and crawl them with several workers, until all are finished.

    If all are finished already, each is refreshed within the limits of the last `fleet refresh`.

    datahound fleet run sites.txt --store s3://bucket/fleet --workers 4
    """
    settings = make_settings(at_once, term, ship_every, work)
    _add(sites, store, read_given(given))
    _work(store, settings, ray, workers, total_budget)


@app.command()
def refresh(
    *,
    store: _Store,
    budget: BudgetOption = None,
    share: ShareOption = None,
    until_empty: UntilEmptyFlag = False,
    workers: Annotated[
        int, typer.Option(min=0, metavar="N", help="Workers here; 0 to start them elsewhere.")
    ] = 1,
    ray: _Ray = None,
    total_budget: _TotalBudget = None,
    at_once: _AtOnce = 0,
    term: _Term = "60s",
    ship_every: _ShipEvery = "30s",
    work: _Work = None,
) -> None:
    """Look for what is new on every site; sites that are not finished are crawled first.

    datahound fleet refresh --store s3://bucket/fleet --share 0.1 --workers 4
    """
    settings = make_settings(at_once, term, ship_every, work)
    RoundRequest(budget, share, until_empty)
    given = {"budget": budget, "share": share, "until_empty": until_empty}
    limits = {name: value for name, value in given.items() if value}
    allow_round(open_fleet(store), limits)
    _work(store, settings, ray, workers, total_budget)


def _work(
    store: str, settings: WorkerSettings, ray: str | None, workers: int, budget: int | None
) -> None:
    """Let workers continue a fleet until all sites are finished, and show its state."""
    objects = open_fleet(store)
    groups = read_groups(objects)
    if begin_work(objects, groups, budget):
        typer.echo("every site is finished: refreshed now")
    status = 0
    if workers:
        started = show_count(workers, "worker")
        typer.echo(f"{started}; Ctrl-C ends them; see datahound fleet status --store {store}")
    if ray is not None:
        status = run_on_ray(store, settings, ray, workers)
    elif workers:
        status = run_processes(store, settings, workers)
    found = read_fleet(objects)
    typer.echo(describe_fleet(found))
    raise typer.Exit(status or (1 if found.counts["failed"] else 0))


@app.command()
def worker(
    *,
    store: _Store,
    at_once: _AtOnce = 0,
    term: _Term = "60s",
    ship_every: _ShipEvery = "30s",
    work: _Work = None,
    name: Annotated[str, typer.Option(help="Its name in `status`: the host by default.")] = "",
) -> None:
    """Crawl sites of a fleet until all are finished, or `fleet stop`.

    datahound fleet worker --store s3://bucket/fleet
    """
    settings = make_settings(at_once, term, ship_every, work, name)
    if is_stopped(open_fleet(store)):
        typer.echo("the fleet is stopped: datahound fleet stop --undo", err=True)
        return
    run_worker(store, settings)


@app.command()
def stop(
    *,
    store: _Store,
    undo: Annotated[bool, typer.Option("--undo", help="Let workers work again.")] = False,
) -> None:
    """Let all workers ship what they have and end; `run` or --undo lets them work again."""
    objects = open_fleet(store)
    stop_work(objects, stop=not undo)
    workers = show_count(len(list_workers(objects)), "worker")
    typer.echo(f"{workers} to go on" if undo else f"{workers} to ship what they have and end")


@app.command()
def status(
    *,
    store: _Store,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="In the text format of Prometheus.")
    ] = False,
) -> None:
    """Show the state of a fleet: its workers and its sites.

    datahound fleet status --store s3://bucket/fleet
    """
    found = read_fleet(open_fleet(store))
    if json:
        typer.echo(to_json.dumps(found.plain(), ensure_ascii=False))
    elif prometheus:
        sys.stdout.write(write_prometheus(found))
    else:
        print_fleet(found)


@app.command()
def serve(
    *,
    store: _Store,
    port: PortOption = 8484,
    host: HostOption = "127.0.0.1",
    token: TokenOption = None,
) -> None:
    """Look at a fleet in a browser: sites, workers, what is new, a search in all catalogues.

    datahound fleet serve --store s3://bucket/fleet
    """
    open_fleet(store)
    view = FleetView(store)
    with view.keep_catalog_current():
        serve_until_stopped([view.crawls], host, port, token, _announce, view)


def _announce(serving: RunningDashboard) -> None:
    typer.echo(f"the fleet is at {serving.link} (Ctrl-C ends it)")


@app.command()
def catalog(
    *,
    store: _Store,
    output: Annotated[Path, typer.Option(metavar="FILE", help="A Parquet file to write.")],
) -> None:
    """Merge the catalogues of all sites into one table of datasets.

    datahound fleet catalog --store s3://bucket/fleet --output datasets.parquet
    """
    datasets, sites = merge_catalogs(open_fleet(store), output)
    typer.echo(f"{output}: {show_count(datasets, 'dataset')} of {show_count(sites, 'site')}")


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
