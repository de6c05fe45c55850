"""`datahound crawl`: the data files of websites, each into its folder."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.catalog import show_update
from datahound.cli.options import (
    list_commanded,
    plan,
    read_config,
    read_given,
    take_options,
)
from datahound.cli.progress import progress
from datahound.cli.sites_file import SiteLine, read_sites
from datahound.display.display import make_display, on_display
from datahound.display.ending import describe_ending, describe_endings
from datahound.engines.reading_pool import ReadingPool
from datahound.errors import DatahoundError, UserError
from datahound.operate.estimates import estimates_kept
from datahound.operate.metrics import metrics_written
from datahound.operate.summary import summarize_crawl, write_summaries
from datahound.runs import (
    Catalogue,
    Ended,
    Run,
    default_at_once,
    exit_status,
    finish_crawls,
    go_all,
    make_runs,
    stopped_by_signals,
    update_catalog,
)
from datahound.runs.options import Options, merge_given

Going = Callable[[Run], Awaitable[Ended]]
PlainFlag = Annotated[
    bool, typer.Option("--plain", help="Lines of words only: for logs and screen readers.")
]
VerboseFlag = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show how the crawl decides, too.")
]


@dataclass(frozen=True, slots=True)
class EndedCrawl:
    """A crawl that has ended, why, and what its user should know."""

    options: Options
    ended: Ended
    remarks: list[str]


@take_options(list_commanded(), after="sites")
def crawl(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL...", help="Where to start.")
    ] = None,
    *,
    sites: Annotated[
        Path | None, typer.Option(help="A file of sites: text, CSV or TOML, with options for each.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with any options.")] = None,
    no_catalog: Annotated[
        bool, typer.Option("--no-catalog", help="Do not look into the files at the end.")
    ] = False,
    metrics_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep figures for Prometheus here.")
    ] = None,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Sites crawled at the same time; the others wait. [default: 50]",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One event a line.")] = False,
    plain: PlainFlag = False,
    verbose: VerboseFlag = False,
    **given: Any,
) -> None:
    """Crawl websites for their data files; the same command again continues.

    datahound crawl https://www.example.org --target csv --budget 5000
    """
    planned = planned_crawls(urls or [], sites, config, read_given(given))
    manner = Manner(json, plain, verbose, metrics_file, at_once)
    raise typer.Exit(run_all(planned, manner, catalog=not no_catalog))


def planned_crawls(
    urls: Sequence[str], sites: Path | None, config: Path | None, given: dict[str, Any]
) -> list[Options]:
    """The crawls that the command line, the file of sites and the configuration ask for."""
    common = read_config(config) if config else {}
    named = common.pop("urls", None) or common.pop("url", None) or []
    common = merge_given(common, given)
    listed = [SiteLine(url) for url in urls]
    if not urls:
        listed += [SiteLine(url) for url in ([named] if isinstance(named, str) else named)]
    if sites:
        listed += read_sites(sites)
    if not listed:
        raise UserError("no site to crawl: give a URL, or --sites FILE")
    return plan(listed, common)


@dataclass(frozen=True, slots=True)
class Manner:
    """How crawls are shown and measured while they run."""

    as_json: bool = False
    plain: bool = False
    verbose: bool = False
    metrics_file: Path | None = None
    at_once: int | None = None


def run_all(
    planned: Sequence[Options], manner: Manner, go: Going = Run.go, *, catalog: bool = True
) -> int:
    """Crawl side by side, then write catalogues, reports and a summary; the exit status."""
    crawled = asyncio.run(crawl_all(planned, manner, go))
    finish_shown(crawled, catalog=catalog, shown=not manner.as_json)
    return exit_status([run.ended for run in crawled])


def finish_shown(crawled: Sequence[EndedCrawl], *, catalog: bool, shown: bool) -> None:
    """Write catalogues and reports, then say what was found; complaints go to the error stream."""
    with progress("finishing") as report:
        finish_crawls(
            [(run.options, run.ended) for run in crawled],
            catalogue=_choose_catalogue(len(crawled), shown=shown) if catalog else None,
            complain=lambda line: print(f"datahound: {line}", file=sys.stderr),
            advance=partial(report, "catalogues and reports") if len(crawled) > 1 else None,
        )
    if shown:
        print("\n".join(_describe_ends(crawled)))


def _choose_catalogue(count: int, *, shown: bool) -> Catalogue:
    """A catalogue of one crawl shows its own progress; of many, their number does."""
    return show_update if shown and count == 1 else update_catalog


def _describe_ends(crawled: Sequence[EndedCrawl]) -> list[str]:
    summaries = [summarize_crawl(run.options, run.ended) for run in crawled]
    if len(summaries) == 1:
        return describe_ending(summaries[0], crawled[0].remarks)
    try:
        path = write_summaries(summaries)
    except DatahoundError as error:
        print(f"datahound: no summary: {error}", file=sys.stderr)
        path = None
    return describe_endings(summaries, path)


async def crawl_all(
    planned: Sequence[Options], manner: Manner, go: Going = Run.go
) -> list[EndedCrawl]:
    """Crawl them all in this event loop, on one display, and say why each ended."""
    display = make_display(as_json=manner.as_json, plain=manner.plain, verbose=manner.verbose)
    async with ReadingPool() as reader:
        runs = make_runs(planned, display.watch, reader)
        with stopped_by_signals(runs):
            async with (
                on_display(display, runs),
                estimates_kept(runs),
                metrics_written(manner.metrics_file, runs),
            ):
                endings = await go_all(runs, go, manner.at_once or default_at_once())
    return [
        EndedCrawl(run.options, ended, run.remarks)
        for run, ended in zip(runs, endings, strict=True)
    ]
