"""`datahound site`: look at recorded websites, serve them and bring them into WARC files."""

import json as to_json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from datahound.archive import import_archive, open_archive
from datahound.archive.server import Served, run_server
from datahound.archive.synthetic import with_bodies
from datahound.cli.progress import progress
from datahound.cli.tables import console
from datahound.lab.characteristics import (
    Characteristics,
    PaperCharacteristics,
    Spread,
    find_paper_site,
    measure_site,
)
from datahound.units import show_size
from datahound.web.targets import find_wanted, parse_targets

app = typer.Typer(help="Recorded websites: describe, serve and import them.", no_args_is_help=True)

Site = Annotated[
    str,
    typer.Argument(
        metavar="SITE",
        help="A WARC, a folder of them, a kit database, or a preset as synthetic:ju?scale=0.1.",
    ),
]
_MOST_URLS = 20_000_000


@app.command()
def describe(
    site: Site,
    *,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPES", help="csv, excel, pdf, tables, archives, all, MIME types."),
    ] = None,
    max_urls: Annotated[
        int, typer.Option(min=1, help="Look at this many URLs at most.")
    ] = _MOST_URLS,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure what a site is like: pages, targets, where they are and how large.

    Example: datahound site describe synthetic:ju?scale=0.1
    """
    wanted = find_wanted(parse_targets(target) if target else None)
    with progress(site) as report:
        archive = open_archive(site, lambda done, total: report("indexing", done, total))
        measured = measure_site(
            archive, wanted, progress=lambda n, of: report("reading", n, of), max_urls=max_urls
        )
        archive.close()
    paper = find_paper_site(_preset(site))
    if json:
        typer.echo(to_json.dumps(_figures(measured, paper)))
        return
    console().print(_table(measured, paper))
    if not measured.complete:
        typer.echo(f"not all of it: stopped after {max_urls:,} URLs")


@app.command()
def serve(
    site: Site,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free port.")] = 8000,
    rewrite: Annotated[
        bool, typer.Option("--rewrite", help="Fold all hosts into one local address.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the address as JSON.")] = False,
) -> None:
    """Serve a site over HTTP on this machine, so that any crawler can be pointed at it.

    Example: datahound site serve site.warc.gz --port 8000 --rewrite
    """
    with progress(site) as report:
        spec = with_bodies(site)
        archive = open_archive(spec, lambda done, total: report("indexing", done, total))

    def announce(served: Served) -> None:
        if json:
            typer.echo(to_json.dumps(asdict(served)))
        else:
            typer.echo(f"serving {archive.name} at {served.address}, starting at {served.start}")
            typer.echo("Ctrl-C ends it")

    run_server(archive, port=port, rewrite=rewrite, announce=announce)
    archive.close()


@app.command(name="import")
def import_(
    site: Annotated[str, typer.Argument(metavar="FROM", help="Any site that can be opened.")],
    to: Annotated[Path, typer.Argument(metavar="TO.warc.gz", help="A new file.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a site into one WARC file, which every web archive tool reads.

    Example: datahound site import kit.db site.warc.gz
    """
    with progress(site) as report:
        archive = open_archive(site, lambda done, total: report("indexing", done, total))
        written = import_archive(archive, to, lambda count: report("writing", count, 0))
        archive.close()
    if json:
        typer.echo(to_json.dumps({"file": str(to), "exchanges": written}))
    else:
        typer.echo(f"{to}: {written:,} exchanges")


def _preset(spec: str) -> str:
    return (
        spec.removeprefix("synthetic:").partition("?")[0] if spec.startswith("synthetic:") else ""
    )


def _table(measured: Characteristics, paper: PaperCharacteristics | None) -> Table:
    table = Table("", measured.site)
    table.columns[1].justify = "right"
    if paper is not None:
        table.add_column("the paper, whole site", justify="right")
    for name, value, theirs in _rows(measured, paper):
        table.add_row(name, value, *([theirs] if paper is not None else []))
    return table


def _rows(m: Characteristics, p: PaperCharacteristics | None) -> list[tuple[str, str, str]]:
    return [
        ("pages", f"{m.pages:,}", f"{p.available - p.targets:,}" if p else ""),
        ("targets", f"{m.targets:,}", f"{p.targets:,}" if p else ""),
        ("available", f"{m.available:,}", f"{p.available:,}" if p else ""),
        ("density of targets", f"{m.density:.1%}", f"{p.density:.1%}" if p else ""),
        ("pages that link to a target", f"{m.linking:.2%}", f"{p.linking:.2%}" if p else ""),
        ("target size", _sizes(m.target_size), _sizes(p.target_size) if p else ""),
        ("target depth", _depths(m.target_depth), _depths(p.target_depth) if p else ""),
        ("errors", f"{m.errors:,}", ""),
        ("redirects", f"{m.redirects:,}", ""),
        *((f"  {kind}", f"{count:,}", "") for kind, count in m.mime_types.items()),
    ]


def _sizes(spread: Spread) -> str:
    return f"{show_size(spread.mean)} ± {show_size(spread.std)}"


def _depths(spread: Spread) -> str:
    return f"{spread.mean:.2f} ± {spread.std:.2f}"


def _figures(measured: Characteristics, paper: PaperCharacteristics | None) -> dict[str, Any]:
    figures = {**asdict(measured), "density": measured.density, "linking": measured.linking}
    return {**figures, "paper": asdict(paper) if paper else None}
