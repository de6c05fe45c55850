"""`datahound crawl`: the data files of websites, each into its folder."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.config_file import Config, read_config, read_environment
from datahound.cli.options import list_commanded, plan, read_given, take_options
from datahound.cli.running import Manner, refresh_run, run_all
from datahound.cli.sites_file import SiteLine, read_sites
from datahound.errors import UserError
from datahound.news.whatsnew import publish_whatsnew
from datahound.news.words import KINDS, describe_whatsnew, sum_up
from datahound.operate.event_log import parse_selection
from datahound.runs.option_values import merge_given
from datahound.runs.options import Options
from datahound.runs.run import RoundRequest
from datahound.store.folder import Folder
from datahound.units import show_count

_MOST_NEWS = 10
PlainFlag = Annotated[
    bool, typer.Option("--plain", help="Lines of words only: for logs and screen readers.")
]
VerboseFlag = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show how the crawl decides, too.")
]
MetricsFileOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep figures for Prometheus here.")
]
AtOnceOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Sites crawled at the same time, 50 by default; the others wait.",
    ),
]
LogOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep events here as JSON; the file rotates."),
]
NoCatalogFlag = Annotated[
    bool, typer.Option("--no-catalog", help="Do not look into the files at the end.")
]
EventsOption = Annotated[
    str | None,
    typer.Option(metavar="KINDS", help="Which events: files, errors or all, with commas."),
]

_Urls = Annotated[list[str] | None, typer.Argument(metavar="URL...", help="Where to start.")]
_Sites = Annotated[
    Path | None, typer.Option(help="A file of sites: text, CSV or TOML, with options for each.")
]
_Config = Annotated[Path | None, typer.Option(help="A TOML file with any options.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON event per line.")]


@take_options(list_commanded(), after="sites")
def crawl(
    urls: _Urls = None,
    *,
    sites: _Sites = None,
    config: _Config = None,
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
    """Crawl websites for their data files; the same command again continues.

    datahound crawl https://www.example.org --target csv --budget 5000
    """
    planned, command = plan_command(urls or [], sites, config, read_given(given))
    manner = Manner(
        as_json=json or command.get("json", False),
        plain=plain or command.get("plain", False),
        verbose=verbose,
        catalog=not no_catalog and command.get("catalog", True),
        metrics_file=metrics_file or _path_of(command.get("metrics-file")),
        at_once=at_once or command.get("at-once"),
        log=log or _path_of(command.get("log")),
        # Parsed before anything is asked for, so that a mistake costs no crawl.
        events=parse_selection(events or command.get("events") or "all"),
    )
    if refreshed := command.get("refresh"):
        raise typer.Exit(_refresh_all(planned, manner, refreshed))
    raise typer.Exit(run_all(planned, manner))


def _path_of(name: str | None) -> Path | None:
    return Path(name) if name else None


def _refresh_all(planned: Sequence[Options], manner: Manner, share: float) -> int:
    """Go on with what has not ended, and look for what is new where a crawl has ended."""
    request = RoundRequest(None, None if share is True else share, until_empty=False)
    status = run_all(planned, manner, partial(refresh_run, request=request))
    changes = [
        (
            options.output,
            publish_whatsnew(options.output, None, options.settings().refresh.versions),
        )
        for options in planned
        if Folder(options.output).database.exists()
    ]
    if manner.shown:
        # In the first round, everything is new.
        _show_news([(folder, found) for folder, found in changes if found["round"]])
    return status


def _show_news(changes: Sequence[tuple[Path, dict[str, Any]]]) -> None:
    """Print what is new on each site; of many, on those where something is."""
    many = len(changes) > 1
    with_news = [one for one in changes if not many or any(one[1][kind] for kind in KINDS)]
    for folder, found in with_news[:_MOST_NEWS]:
        show_whatsnew(folder, found)
    if len(with_news) > _MOST_NEWS:
        typer.echo(f"and {show_count(len(with_news) - _MOST_NEWS, 'more site')} with news")
    if many:
        typer.echo(sum_up([found for _, found in changes]))


def show_whatsnew(folder: Path, found: dict[str, Any]) -> None:
    """Print what is new on a site."""
    typer.echo(f"{folder}: round {found['round']}")
    typer.echo("".join(f"  {line}\n" for line in describe_whatsnew(found)), nl=False)
    typer.echo(f"  see {folder / 'whatsnew.html'}")


def plan_command(
    urls: Sequence[str], sites: Path | None, config: Path | None, given: dict[str, Any]
) -> tuple[list[Options], dict[str, Any]]:
    """The crawls that are asked for, and the options of the command that the file has.

    An option of a site in the file of sites wins, then the command line, then the environment, then
    the file of options.
    """
    found = read_config(config) if config else Config({}, {})
    common = merge_given(merge_given(found.options, read_environment(os.environ)), given)
    listed = [SiteLine(url) for url in urls or found.command.get("urls", [])]
    listed_in = sites or (None if urls else found.command.get("sites"))
    if listed_in:
        listed += read_sites(Path(listed_in))
    if not listed:
        inside = f", or urls or sites in {config}" if config else ""
        raise UserError(f"no site to crawl: give a URL, or --sites FILE{inside}")
    return plan(listed, common), found.command
