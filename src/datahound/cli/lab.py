"""`datahound lab`: the experiments of the paper on recorded sites, reports and comparisons."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from datahound.archive import open_archive
from datahound.cli.catalog import show_update
from datahound.cli.progress import progress
from datahound.cli.replay import Params, Runs, Sites, TargetTypes
from datahound.errors import UserError
from datahound.lab.report import (
    SAMPLE_SIZE,
    RefreshResults,
    RequestCosts,
    ResultTable,
    compare_results,
    compare_with_list,
    draw_scores,
    list_scores,
    measure_yields,
    run_refresh,
    to_markdown,
    write_hard_site,
    write_report,
)
from datahound.lab.runner import CHOICES, REFRESH, Experiment, name_site, run_experiment
from datahound.lab.trials import SiteBounds, measure_bounds
from datahound.parameters import with_parameters
from datahound.settings import Settings
from datahound.text import show_text
from datahound.units import show_count

app = typer.Typer(help="Experiments: run them, report on them, compare them.", no_args_is_help=True)


_Names = Annotated[list[str] | None, typer.Option(metavar="NAME", help=f"{', '.join(CHOICES)}.")]
_Crawlers = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Only these, in `crawlers`.")
]
_Budget = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Requests at most, for every run.")
]
_Out = Annotated[Path, typer.Option(metavar="DIR", help="Where results go.")]
_Workers = Annotated[int | None, typer.Option(min=1, help="Processes; one per core by default.")]
_MaxStep = Annotated[
    float, typer.Option(min=0.001, help="Processor seconds of one step that end a run.")
]


@app.command()
def run(
    sites: Sites,
    *,
    experiment: _Names = None,
    runs: Runs = 15,
    out: _Out = Path("lab"),
    crawler: _Crawlers = None,
    budget: _Budget = None,
    target: TargetTypes = None,
    param: Params = None,
    workers: _Workers = None,
    max_step: _MaxStep = 60.0,
) -> None:
    """Run experiments; the same command again continues.

    The exit status is 1 if a run failed or a site was left out; the others are made and kept.

    Example: datahound lab run site.warc.gz synthetic:ju?scale=0.1 --experiment crawlers --out lab
    """
    if REFRESH in (experiment or ()):
        if crawler or budget or target:
            raise UserError(f"the experiment {REFRESH} has no --crawler, --budget or --target")
        _run_refresh(sites, experiment or [], runs, out, tuple(param or ()), workers)
        return
    named = tuple(experiment or ()), runs, tuple(crawler or ())
    todo = Experiment(tuple(sites), *named, workers, max_step)
    params, targets = tuple(param or ()), tuple(target or ())
    with progress("lab") as show:
        done = run_experiment(todo, out, show, _warn, params=params, budget=budget, targets=targets)
    failed = f", {done.failed:,} failed" if done.failed else ""
    runs_made = show_count(done.runs, "run")
    typer.echo(f"{runs_made} in {out}{failed}; next: datahound lab report {out}")
    if done.failed:
        raise typer.Exit(1)


def _run_refresh(
    sites: list[str],
    names: list[str],
    runs: int,
    out: Path,
    params: tuple[str, ...],
    workers: int | None,
) -> None:
    """Compare policies of later rounds on recordings over time."""
    if len(names) > 1:
        raise UserError(f"the experiment {REFRESH} is run alone, on recordings over time")
    settings = with_parameters(Settings(), params)
    results = RefreshResults(out, params)
    with progress("lab") as show:
        run_refresh(sites, runs, settings, results, show, workers or 1)
    rows = results.rows
    draw_scores(rows, out / "refresh.png")
    table = Table("site", "policy", title="Found in the round in which it appears")
    for name in ("share", "mean", "spread", "late"):
        table.add_column(name, justify="right")
    for site, policy, *figures in list_scores(rows):
        table.add_row(site, policy, *(f"{figure:.3f}" for figure in figures))
    Console().print(table)
    made = show_count(len(rows), "run")
    typer.echo(f"{made} in {out / 'refresh.csv'}; the figure: {out / 'refresh.png'}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results of `lab run`.")],
    *,
    delay: Annotated[
        float, typer.Option(min=0.0, help="Seconds between requests, for the table of times.")
    ] = 1.0,
    bandwidth: Annotated[
        float, typer.Option(min=0.001, help="Megabits per second, for the table of times.")
    ] = 50.0,
) -> None:
    """Write tables, figures and a page that works offline to DIR/report.

    Example: datahound lab report lab --delay 2 --bandwidth 100
    """
    written = write_report(folder, RequestCosts(delay, bandwidth))
    for caveat in written.caveats:
        typer.echo(caveat)
    typer.echo(f"the report: {written.page}")


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="Results, such as before a change.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Results, such as after it.")],
    *,
    markdown: Annotated[bool, typer.Option("--markdown", help="For a pull request.")] = False,
) -> None:
    """Compare two folders of results: by how much each crawler became better or worse.

    Example: datahound lab compare lab-before lab-after
    """
    found = compare_results(a, b)
    for table in (found.overall, found.by_site):
        _print_table(table, markdown=markdown)
    for note in found.notes:
        typer.echo(note)


@app.command()
def against(
    listed: Annotated[Path, typer.Argument(metavar="LIST.csv", help="URLs found elsewhere.")],
    crawl: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    show: Annotated[int, typer.Option(min=0, help="URLs shown of each side.")] = 10,
) -> None:
    """Compare a list of URLs, such as of a search engine, with the files that a crawl found.

    The list is a text or a table with the URLs in any column. URLs are the same with http or https,
    with or without www. and a slash at the end.

    Example: datahound lab against portal.csv www.stats.example
    """
    found = compare_with_list(listed, crawl)
    typer.echo(
        f"{found.listed:,} listed, {found.crawled:,} crawled, {len(found.both):,} in both:"
        f" {_percent(len(found.both), found.listed)} of the list,"
        f" {_percent(len(found.both), found.crawled)} of the crawl"
    )
    if found.unread:
        typer.echo(f"not compared: {show_count(found.unread, 'row')} of the list without a URL")
    for name, urls in (("list", found.only_listed), ("crawl", found.only_crawled)):
        typer.echo(f"only in the {name}: {len(urls):,}")
        for url in urls[:show]:
            typer.echo(f"  {show_text(url)}")


@app.command()
def bound(
    sites: Sites,
    *,
    budget: Annotated[int, typer.Option(min=1, help="Requests that a site has at most.")] = 100_000,
) -> None:
    """Say the least requests that all targets of a site need, for a crawler that knows the site.

    Exactly for a site of few pages; for others a greedy crawl gives requests that suffice.

    Example: datahound lab bound hard.warc.gz
    """
    for spec in sites:
        with closing(open_archive(spec)) as archive, progress(name_site(spec)) as show:
            found = measure_bounds(archive, budget, show)
        typer.echo(f"{name_site(spec)}: {_describe_bounds(found)}")


@app.command()
def hard(
    out: Annotated[Path, typer.Argument(metavar="FILE.warc.gz", help="A new file.")],
    *,
    elements: Annotated[int, typer.Option(min=1, help="Targets of the site.")] = 30,
    cover: Annotated[int, typer.Option(min=1, help="Pages that link to all of them.")] = 5,
    decoys: Annotated[int, typer.Option(min=0, help="Further pages, as rich as those.")] = 12,
    seed: Annotated[int, typer.Option(help="Draws another site.")] = 0,
) -> None:
    """Record a made-up site where the cheapest crawl is a smallest set cover, which is NP-hard.

    Example: datahound lab hard hard.warc.gz --elements 30 --cover 5 --decoys 12
    """
    graph = write_hard_site(out, seed, elements, cover, decoys)
    typer.echo(
        f"{len(graph.links) - 1:,} pages behind the first, {len(graph.targets):,} targets; the"
        f" cheapest crawl makes at most {1 + cover + elements:,} requests;"
        f" next: datahound lab bound {out}"
    )


@app.command("yield")
def yield_(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of crawls.")],
    *,
    sample: Annotated[
        int, typer.Option(min=1, metavar="N", help="Files drawn from each crawl.")
    ] = SAMPLE_SIZE,
    seed: Annotated[int, typer.Option(help="Draws other files.")] = 0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the sample and the table go.")
    ] = Path("sd-yield"),
    markdown: Annotated[bool, typer.Option("--markdown", help="For a pull request.")] = False,
) -> None:
    """Count statistics tables in the files of crawls, in all and in a sample to count by hand.

    Example: datahound lab yield www.stats.example --sample 40 --out sd-yield
    """
    for folder in folders:
        show_update(folder, again=False)
    table = measure_yields(folders, out, sample, seed)
    if markdown:
        typer.echo(to_markdown(table))
    for row in () if markdown else table.rows[: len(folders)]:
        typer.echo(show_text(row.head))
        for column, cell in zip(table.columns[1:], row.cells, strict=True):
            typer.echo(f"  {column + ':':36} {cell.parts[0].text}")
    typer.echo(
        f"to count by hand: the last column of {out / 'sample.csv'}, then this command again"
    )


def _describe_bounds(found: SiteBounds) -> str:
    exact = (
        "too many pages for the least exactly"
        if found.optimum is None
        else f"the least is {found.optimum:,} requests"
    )
    return (
        f"{found.targets:,} targets; {exact}; a greedy crawl that knows the site makes"
        f" {found.greedy:,}, to 90 % {found.greedy_to_90:,}; a crawl of everything"
        f" {found.everything:,}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _warn(line: str) -> None:
    typer.echo(f"lab: {line}", err=True)


def _print_table(table: ResultTable, *, markdown: bool) -> None:
    if markdown:
        typer.echo(to_markdown(table))
        return
    shown = Table(table.columns[0], title=table.title, caption=table.note or None)
    for column in table.columns[1:]:
        shown.add_column(column, justify="right")
    for row in table.rows:
        cells = (Text(" | ".join(p.text for p in c.parts)) for c in row.cells)
        shown.add_row(Text(show_text(row.head)), *cells)
    Console().print(shown)
