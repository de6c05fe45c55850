"""`datahound replay`: how many requests each crawler needs on a recorded site."""

import json as to_json
import statistics
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from datahound.archive import Archive, WarcArchive, is_lapse, open_archive
from datahound.cli.progress import progress
from datahound.cli.tables import console
from datahound.errors import UserError
from datahound.lab.trials import (
    Trial,
    TrialGround,
    TrialResult,
    open_curve_csv,
    plan_trials,
    run_trials,
)
from datahound.parameters import with_parameters
from datahound.settings import CrawlSettings, Settings
from datahound.strategies import DEFAULT_STRATEGY
from datahound.units import show_size
from datahound.web.targets import parse_targets

_FIGURES = {
    "requests": "requests",
    "targets": "targets",
    "requests_to_50": "to 50 %",
    "requests_to_90": "to 90 %",
    "requests_to_99": "to 99 %",
    "bytes_to_90": "waste",
    "seconds": "seconds",
}


Sites = Annotated[
    list[str],
    typer.Argument(
        metavar="SITE...",
        help="A WARC, a folder of them, a kit database, or a preset as synthetic:ju?scale=0.1.",
    ),
]
Runs = Annotated[int, typer.Option(min=1, help="Runs of each crawler that is random.")]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "--param", metavar="NAME=VALUE", help="Any setting, as min_similarity=0.9."
    ),
]
_Strategies = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help=f"{DEFAULT_STRATEGY} by default.")
]
_Budget = Annotated[int | None, typer.Option(min=1, metavar="N", help="Requests at most.")]
TargetTypes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TYPES",
        help="What counts as a target, as in `datahound crawl`; the paper's MIME types by default.",
    ),
]
_Share = Annotated[
    float,
    typer.Option(
        min=0.0, max=1.0, help="Of a recording over time: requests per page, in each round."
    ),
]
_Seed = Annotated[int, typer.Option(help="The seed of the first run; it grows by 1 per run.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per run.")]
_Curve = Annotated[Path | None, typer.Option(metavar="FILE.csv", help="Where to write the curves.")]


def replay(
    sites: Sites,
    *,
    strategy: _Strategies = None,
    runs: Runs = 1,
    seed: _Seed = 0,
    budget: _Budget = None,
    target: TargetTypes = None,
    param: Params = None,
    json: _AsJson = False,
    curve: _Curve = None,
    share: _Share = 0.1,
) -> None:
    """Replay recorded sites and count the requests that each crawler needs.

    Example: datahound replay site.warc.gz --strategy hound --strategy bfs --runs 5
    """
    if lapses := [site for site in sites if is_lapse(site)]:
        # Refused rather than ignored.
        if len(lapses) < len(sites) or strategy or budget or target or curve:
            raise UserError("recordings over time take --share, --seed, --set and --json alone")
        _replay_lapses(lapses, share, seed, param or [], as_json=json)
        return
    settings = _make_settings(budget, target, param)
    trials = plan_trials(strategy or [DEFAULT_STRATEGY], runs, seed, settings)
    results = _write_results(_run_all(sites, settings, trials), curve, as_json=json)
    if not json:
        print_trials(results)


def _write_results(
    trials: Iterable[TrialResult], curve: Path | None, *, as_json: bool
) -> list[TrialResult]:
    """Write each result as it comes, so that a long experiment can be followed."""
    results = []
    with open_curve_csv(curve) as write_curve:
        for result in trials:
            write_curve(result)
            results.append(result)
            if as_json:
                typer.echo(to_json.dumps(result.figures()))
    return results


def _replay_lapses(
    sites: list[str], share: float, seed: int, params: list[str], *, as_json: bool
) -> None:
    """Go through the rounds of recordings over time with a refresh each."""
    from datahound.lab.report import replay_lapse  # noqa: PLC0415 for lapses alone

    settings = with_parameters(Settings(), params)
    for name in sites:
        title, results = replay_lapse(name, share, seed, settings)
        if as_json:
            for result in results:
                typer.echo(to_json.dumps({"site": title, **result._asdict()}))
            continue
        table = Table(box=SIMPLE_HEAD, pad_edge=False, caption="requests: all but those for files")
        for heading in ("site", *results[0]._fields):
            table.add_column(heading.replace("_", " "), justify="right")
        for result in results:
            date = datetime.fromtimestamp(result.date, UTC).strftime("%Y-%m-%d")
            figures = result._replace(date=0.0)
            cells = [date if i == 1 else f"{value:,}" for i, value in enumerate(figures)]
            table.add_row(title, *cells)
        console().print(table)


def _make_settings(
    budget: int | None, target: list[str] | None, param: list[str] | None
) -> Settings:
    targets = parse_targets(target) if target else None
    crawl = CrawlSettings(targets=targets, max_requests=budget)
    return with_parameters(Settings(crawl=crawl), param or ())


def _run_all(sites: list[str], settings: Settings, trials: list[Trial]) -> Iterator[TrialResult]:
    for site in sites:
        with progress(site) as report:
            opening = open_archive(site, lambda done, total: report("indexing", done, total))
            try:
                _warn_of_cuts(site, opening)
                ground = TrialGround(opening, settings, report)
                yield from run_trials(ground, trials, report)
            finally:
                opening.close()


def _warn_of_cuts(site: str, archive: Archive) -> None:
    """Warn of what a replay leaves out."""
    if isinstance(archive, WarcArchive):
        for name in archive.list_cut_files():
            typer.echo(
                f"datahound: {site}: {name} is cut off: its last record is left out", err=True
            )


def print_trials(results: Sequence[TrialResult]) -> None:
    """Print one row per site and crawler; the median where there were several runs."""
    groups: dict[tuple[str, str], list[TrialResult]] = {}
    for result in results:
        groups.setdefault((result.site, result.strategy), []).append(result)
    most = max(map(len, groups.values()), default=1)
    caption = "waste: bytes of anything but targets before 90 % of the target bytes"
    if most > 1:
        caption += f"; medians of {most} runs where a crawler is random"
    sites = {site for site, _ in groups}
    # The name of a single site is the title: a column of it would take room from the figures.
    one = len(sites) == 1
    title = Text(next(iter(sites))) if one else None
    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, title=title, caption=caption
    )
    if not one:
        table.add_column("site", overflow="fold")
    table.add_column("strategy", no_wrap=True)
    for heading in _FIGURES.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for (site, strategy), group in groups.items():
        figures = [result.figures() for result in group]
        cells = [_median(name, [f[name] for f in figures]) for name in _FIGURES]
        table.add_row(*([] if one else [Text(site)]), strategy, *cells)
    console().print(table)


def _median(name: str, values: Iterable[float | None]) -> str:
    """The median as people read it; a run that never got there is later than all others."""
    # Infinite and not left out: runs that failed must not improve the median.
    middle = statistics.median(float("inf") if value is None else value for value in values)
    if middle == float("inf"):
        return "–"
    if name == "seconds":
        return f"{middle:.2f}"
    return show_size(middle) if name.startswith("bytes") else f"{middle:,.0f}"
