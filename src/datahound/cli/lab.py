"""`datahound lab`: the experiments of the paper on recorded sites, reports and comparisons."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as RichTable

from datahound.cli.progress import progress
from datahound.errors import UserError
from datahound.lab.experiments import ALL, EXPERIMENTS, chosen_experiments
from datahound.lab.report.compare import compare as compare_books
from datahound.lab.report.crawler_tables import Politeness
from datahound.lab.report.tables import Table, to_markdown
from datahound.lab.results import Origin, ResultFolder, installed_version
from datahound.lab.results_view import open_book
from datahound.lab.runner import Work, work
from datahound.strategies import registered

app = typer.Typer(help="Experiments: run them, report on them, compare them.", no_args_is_help=True)


@app.command()
def run(
    sites: Annotated[
        list[str],
        typer.Argument(
            metavar="SITE...",
            help="A WARC, a folder of them, a kit database, or a preset as synthetic:ju?scale=0.1.",
        ),
    ],
    *,
    experiment: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help=f"{', '.join(EXPERIMENTS)}, {ALL}.")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs of each crawler that is random.")] = 15,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where results go.")] = Path("lab"),
    crawler: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only these, in `crawlers`.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Requests at most, for every run.")
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Any setting, as min_similarity=0.9."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; one a core.")] = None,
) -> None:
    """Run experiments; the same command again goes on where it was.

    Example: datahound lab run site.warc.gz synthetic:ju?scale=0.1 --experiment crawlers --out lab
    """
    for name in crawler or ():
        registered(name)
    origin = Origin(installed_version(), tuple(param or ()), budget)
    origin.settings()
    todo = Work(
        tuple(sites), chosen_experiments(experiment or ()), runs, tuple(crawler or ()), workers
    )
    folder = ResultFolder.create(out, origin)
    with progress("lab") as report:
        failed = work(todo, folder, report, lambda line: typer.echo(f"lab: {line}", err=True))
    kept = len(folder.runs())
    if not folder.sites():
        raise UserError("none of the sites could be used")
    trouble = f", {failed:,} failed" if failed else ""
    typer.echo(f"{kept:,} runs in {out}{trouble}; next: datahound lab report {out}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results of `lab run`.")],
    *,
    delay: Annotated[
        float, typer.Option(min=0.0, help="Seconds between requests, for the table of times.")
    ] = 1.0,
    bandwidth: Annotated[
        float, typer.Option(min=0.001, help="Megabits a second, for the table of times.")
    ] = 50.0,
) -> None:
    """Write tables, figures and a page that works offline to DIR/report.

    Example: datahound lab report lab --delay 2 --bandwidth 100
    """
    from datahound.lab.report.page import write_report  # noqa: PLC0415 matplotlib takes a second

    written = write_report(open_book(folder), Politeness(delay, bandwidth), installed_version())
    for note in written.notes:
        typer.echo(note)
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
    found = compare_books(open_book(a), open_book(b))
    console = Console()
    for table in (found.overall, found.by_site):
        if markdown:
            typer.echo(to_markdown(table))
        else:
            console.print(_shown(table))
    for note in found.notes:
        typer.echo(note)


def _shown(table: Table) -> RichTable:
    shown = RichTable(table.columns[0], title=table.title, caption=table.note or None)
    for column in table.columns[1:]:
        shown.add_column(column, justify="right")
    for row in table.rows:
        shown.add_row(row.head, *(" | ".join(p.text for p in c.parts) for c in row.cells))
    return shown
