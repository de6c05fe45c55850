"""`datahound demo`: the whole thing on the built-in site, without a network."""

import asyncio
import json as to_json
from pathlib import Path
from typing import Annotated

import typer

from datahound.archive import open_archive
from datahound.archive.server import serve_archive
from datahound.archive.synthetic import with_bodies
from datahound.cli.progress import progress
from datahound.cli.replay import print_trials
from datahound.cli.running import EndedCrawl, Manner, crawl_all, finish_shown
from datahound.errors import UserError
from datahound.lab.report import write_curves
from datahound.lab.trials import TrialGround, TrialResult, plan_trials, run_trials
from datahound.runs import exit_status
from datahound.runs.options import make_options
from datahound.settings import Settings
from datahound.strategies import BUILT_IN

_SITE = "synthetic:demo"
_QUICK_SITE = "synthetic:demo?scale=0.2"
_RUNS = 5


def demo(
    *,
    output: Annotated[Path, typer.Option(help="The folder for the picture and the files.")] = Path(
        "datahound-demo"
    ),
    quick: Annotated[bool, typer.Option("--quick", help="A smaller site, one run each.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per run.")] = False,
) -> None:
    """Replay the built-in site with every strategy, then crawl it over HTTP, on this machine.

    Example: datahound demo
    """
    site = _QUICK_SITE if quick else _SITE
    results = _compare(site, 1 if quick else _RUNS)
    picture = output / "crawlers.png"
    drawn = _draw_curves(results, picture)
    if json:
        for result in results:
            typer.echo(to_json.dumps(result.figures()))
    else:
        print_trials(results)
        typer.echo(_sentence(results))
        typer.echo(drawn)
    raise typer.Exit(_crawl(site, output / "site", as_json=json))


def _draw_curves(results: list[TrialResult], picture: Path) -> str:
    """Where the picture is, or what it needs: the crawl that follows does without."""
    try:
        write_curves(results, picture)
    except UserError as error:
        return f"no picture of the curves: {error}"
    return f"the curves: {picture}"


def _crawl(site: str, output: Path, *, as_json: bool) -> int:
    """Serve the site on loopback, crawl it as if it were the web, and finish it."""
    crawled = asyncio.run(_crawl_served(site, output, as_json=as_json))
    finish_shown([crawled], catalog=True, shown=not as_json)
    return exit_status([crawled.ended])


async def _crawl_served(site: str, output: Path, *, as_json: bool) -> EndedCrawl:
    archive = open_archive(with_bodies(site))
    async with serve_archive(archive) as served:
        address = served.address.removeprefix("http://")
        # The names of the site stay: only the connection goes to this machine.
        given = {"output": str(output), "delay": "0", "connect-to": address}
        planned = make_options(archive.seed, given)
        (crawled,) = await crawl_all([planned], Manner(as_json=as_json))
        return crawled


def _compare(site: str, runs: int) -> list[TrialResult]:
    settings = Settings()
    with progress("demo") as report:
        ground = TrialGround(open_archive(site), settings, report)
        return list(run_trials(ground, plan_trials(BUILT_IN, runs, 0, settings), report))


def _sentence(results: list[TrialResult]) -> str:
    total = results[0].total_targets

    def needed(name: str) -> str:
        runs = [r.curve.requests_to(0.9, total) for r in results if r.strategy == name]
        reached = sorted(run for run in runs if run is not None)
        return f"{reached[len(reached) // 2]:,}" if reached else "never enough"

    return (
        f"90 % of the {total:,} data files: hound needed {needed('hound')} requests,"
        f" the paper's sb-classifier {needed('sb-classifier')}, breadth-first {needed('bfs')}."
    )
