"""`datahound replay`: how many requests each crawler needs on a recorded site."""

import json as to_json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from datahound.archive import open_archive
from datahound.cli.progress import progress
from datahound.cli.tables import console, trial_table
from datahound.lab.curves_csv import curve_writer
from datahound.lab.trials import Result, Trial, TrialGround, plan_trials, run_trials
from datahound.parameters import with_parameters
from datahound.settings import CrawlSettings, Settings
from datahound.strategies import DEFAULT_STRATEGY, registered
from datahound.web.kinds import parse_targets


def replay(
    sites: Annotated[
        list[str],
        typer.Argument(
            metavar="SITE...",
            help="A WARC, a folder of them, a kit database, or a preset as synthetic:ju?scale=0.1.",
        ),
    ],
    *,
    strategy: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help=f"{DEFAULT_STRATEGY} by default.")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs of each crawler that is random.")] = 1,
    seed: Annotated[int, typer.Option(help="The first run's; the next ones count up.")] = 0,
    budget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Requests at most.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPES", help="csv, excel, pdf, tables, archives, all, MIME types."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Any setting, as min_similarity=0.9."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One object a run, for machines.")] = False,
    curve: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Where to write the curves.")
    ] = None,
) -> None:
    """Replay recorded sites and count the requests that each crawler needs.

    Example: datahound replay site.warc.gz --strategy hound --strategy bfs --runs 5
    """
    names = strategy or [DEFAULT_STRATEGY]
    for name in names:
        registered(name)
    settings = _settings(budget, target, param)
    trials = plan_trials(names, runs, seed, settings)
    with curve_writer(curve) as write_curve:
        results = []
        for result in _run_all(sites, settings, trials):
            write_curve(result)
            results.append(result)
            if json:
                typer.echo(to_json.dumps(result.figures()))
    if not json:
        console().print(trial_table(results))


def _settings(budget: int | None, target: list[str] | None, param: list[str] | None) -> Settings:
    targets = parse_targets(target) if target else None
    crawl = CrawlSettings(targets=targets, max_requests=budget)
    return with_parameters(Settings(crawl=crawl), param or ())


def _run_all(sites: list[str], settings: Settings, trials: list[Trial]) -> Iterator[Result]:
    for site in sites:
        with progress(site) as report:
            opening = open_archive(site, lambda done, total: report("indexing", done, total))
            try:
                ground = TrialGround(opening, settings, report)
                yield from run_trials(ground, trials, report)
            finally:
                opening.close()
