"""`datahound crawl`: the data files of websites, each into its folder."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.catalog import show_update
from datahound.cli.display import make_display, on_display
from datahound.cli.options import (
    list_commanded,
    plan,
    read_config,
    read_given,
    read_sites,
    take_options,
)
from datahound.engines.reading_pool import ReadingPool
from datahound.errors import UserError
from datahound.runs import (
    Ended,
    Run,
    default_at_once,
    exit_status,
    finish_crawls,
    go_all,
    make_runs,
    metrics_written,
    stopped_by_signals,
    update_catalog,
)
from datahound.runs.options import Options, merge_given

Going = Callable[[Run], Awaitable[Ended]]


@take_options(list_commanded(), after="sites")
def crawl(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL...", help="Where to start.")
    ] = None,
    *,
    sites: Annotated[
        Path | None, typer.Option(help="A file of URLs, one a line; options may follow each.")
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
    **given: Any,
) -> None:
    """Crawl websites for their data files; the same command again continues.

    datahound crawl https://www.example.org --target csv --budget 5000
    """
    planned = planned_crawls(urls or [], sites, config, read_given(given))
    status = run_all(
        planned,
        as_json=json,
        catalog=not no_catalog,
        metrics_file=metrics_file,
        at_once=at_once,
    )
    raise typer.Exit(status)


def planned_crawls(
    urls: Sequence[str], sites: Path | None, config: Path | None, given: dict[str, Any]
) -> list[Options]:
    """The crawls that the command line, the file of sites and the configuration ask for."""
    common = read_config(config) if config else {}
    named = common.pop("urls", None) or common.pop("url", None) or []
    common = merge_given(common, given)
    listed: list[tuple[str, dict[str, Any]]] = [(url, {}) for url in urls]
    if not urls:
        listed += [(url, {}) for url in ([named] if isinstance(named, str) else named)]
    if sites:
        listed += read_sites(sites)
    if not listed:
        raise UserError("no site to crawl: give a URL, or --sites FILE")
    return plan(listed, common)


def run_all(
    planned: Sequence[Options],
    go: Going = Run.go,
    *,
    as_json: bool,
    catalog: bool = True,
    metrics_file: Path | None = None,
    at_once: int | None = None,
) -> int:
    """Crawl side by side, then write catalogues and reports; the exit status."""
    going = crawl_all(planned, go, as_json=as_json, metrics_file=metrics_file, at_once=at_once)
    endings = asyncio.run(going)
    finish_shown(planned, endings, catalog=catalog, shown=not as_json)
    return exit_status(endings)


def finish_shown(
    planned: Sequence[Options], endings: Sequence[Ended], *, catalog: bool, shown: bool
) -> None:
    """Write catalogues and reports; progress and complaints go to the terminal."""
    catalogue = show_update if shown else update_catalog
    finish_crawls(
        zip(planned, endings, strict=True),
        catalogue=catalogue if catalog else None,
        complain=lambda line: print(f"datahound: {line}", file=sys.stderr),
    )


async def crawl_all(
    planned: Sequence[Options],
    go: Going = Run.go,
    *,
    as_json: bool = False,
    metrics_file: Path | None = None,
    at_once: int | None = None,
) -> list[Ended]:
    """Crawl them all in this event loop, on one display, and say why each ended."""
    display = make_display(as_json=as_json)
    async with ReadingPool() as reader:
        runs = make_runs(planned, display.watch, reader)
        with stopped_by_signals(runs):
            async with on_display(display, runs), metrics_written(metrics_file, runs):
                return await go_all(runs, go, at_once or default_at_once())
