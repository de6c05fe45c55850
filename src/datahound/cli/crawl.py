"""`datahound crawl`: the data files of websites, each into its folder."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from datahound.cli.catalog import show_update
from datahound.cli.display import make_display, on_display
from datahound.errors import UserError
from datahound.runs.finish import finish_crawls, update_catalog
from datahound.runs.many import exit_status, go_all, stopped_by_signals
from datahound.runs.metrics import metrics_written
from datahound.runs.options import Options
from datahound.runs.outcome import Ended
from datahound.runs.run import Run
from datahound.runs.sites import plan, read_config, read_sites
from datahound.strategies import DEFAULT_STRATEGY

Going = Callable[[Run], Awaitable[Ended]]

_LIMITS, _SITE, _WEB = "Limits", "The site", "The web"


def crawl(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL...", help="Where to start.")
    ] = None,
    *,
    sites: Annotated[
        Path | None, typer.Option(help="A file of URLs, one a line; options may follow each.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The folder to crawl into; named for the host by default.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(help="What to look for: csv, excel, pdf, tables, archives, all, MIME types."),
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="N", help="Requests at most.", rich_help_panel=_LIMITS)
    ] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Bytes at most, as 2GB.", rich_help_panel=_LIMITS),
    ] = None,
    max_time: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Time at most, as 12h.", rich_help_panel=_LIMITS),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(metavar="SECONDS", help="Between two requests to a host: 1 by default."),
    ] = None,
    concurrency: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Requests to a host that wait for answers at the same time: 1 by default.",
        ),
    ] = None,
    strategy: Annotated[str | None, typer.Option(help=f"{DEFAULT_STRATEGY} by default.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="S", help="Of all that is random.")] = None,
    early_stop: Annotated[
        bool | None,
        typer.Option(
            "--early-stop/--no-early-stop",
            help="Whether to end when targets become rare: yes by default.",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    max_file_size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Larger files are not kept.", rich_help_panel=_LIMITS),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Follow only URLs like this.", rich_help_panel=_SITE),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Follow no URLs like this.", rich_help_panel=_SITE),
    ] = None,
    no_subdomains: Annotated[
        bool, typer.Option("--no-subdomains", help="Stay on one host.", rich_help_panel=_SITE)
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Another host with files.", rich_help_panel=_SITE),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(metavar="PREFIX", help="The path of the site.", rich_help_panel=_SITE),
    ] = None,
    linked_only: Annotated[
        bool,
        typer.Option(
            "--linked-only",
            help="Ask for no file before a page was read that links to it.",
            rich_help_panel=_SITE,
        ),
    ] = False,
    list_only: Annotated[
        bool, typer.Option("--list-only", help="List the files; `datahound fetch` gets them.")
    ] = False,
    contact: Annotated[
        str | None,
        typer.Option(help="How the site's people can reach you.", rich_help_panel=_WEB),
    ] = None,
    user_agent: Annotated[str | None, typer.Option(rich_help_panel=_WEB)] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Sent to the site only.", rich_help_panel=_WEB),
    ] = None,
    proxy: Annotated[str | None, typer.Option(metavar="URL", rich_help_panel=_WEB)] = None,
    ignore_robots: Annotated[bool, typer.Option("--ignore-robots", rich_help_panel=_WEB)] = False,
    connect_to: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Send all requests here, for tests.", rich_help_panel=_WEB
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with any options.")] = None,
    no_catalog: Annotated[
        bool, typer.Option("--no-catalog", help="Do not look into the files at the end.")
    ] = False,
    metrics_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep figures for Prometheus here.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One event a line.")] = False,
) -> None:
    """Crawl websites for their data files; the same command again continues.

    datahound crawl https://www.example.org --target csv --budget 5000
    """
    given = {
        "output": output and str(output),
        "target": target,
        "budget": budget,
        "max-bytes": max_bytes,
        "max-time": max_time,
        "delay": delay,
        "concurrency": concurrency,
        "strategy": strategy,
        "seed": seed,
        "early-stop": early_stop,
        "max-file-size": max_file_size,
        "include": include,
        "exclude": exclude,
        "subdomains": False if no_subdomains else None,
        "allow-host": allow_host,
        "scope": scope,
        "linked-only": linked_only or None,
        "list-only": list_only or None,
        "contact": contact,
        "user-agent": user_agent,
        "header": header,
        "proxy": proxy,
        "ignore-robots": ignore_robots or None,
        "connect-to": connect_to,
    }
    planned = planned_crawls(urls or [], sites, config, given)
    status = run_all(planned, as_json=json, catalog=not no_catalog, metrics_file=metrics_file)
    raise typer.Exit(status)


def planned_crawls(
    urls: Sequence[str], sites: Path | None, config: Path | None, given: dict[str, Any]
) -> list[Options]:
    """The crawls that the command line, the file of sites and the configuration ask for."""
    common = read_config(config) if config else {}
    named = common.pop("urls", None) or common.pop("url", None) or []
    common |= {name: value for name, value in given.items() if value not in (None, [])}
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
) -> int:
    """Crawl all at once, then write catalogues and reports; the exit status."""
    endings = asyncio.run(crawl_all(planned, go, as_json=as_json, metrics_file=metrics_file))
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
) -> list[Ended]:
    """Crawl them all in this event loop, on one display, and say why each ended."""
    display = make_display(as_json=as_json)
    runs = [Run(options, watch=display.watch) for options in planned]
    with stopped_by_signals(runs):
        async with on_display(display, runs), metrics_written(metrics_file, runs):
            return await go_all(runs, go)
