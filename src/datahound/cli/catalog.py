"""`datahound catalog`: what is inside the files of a crawl."""

import json as to_json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from datahound.catalog.catalog import Catalog, Hits, Query, Summary
from datahound.catalog.update import Updated
from datahound.cli.progress import progress
from datahound.cli.tables import console
from datahound.errors import UserError
from datahound.remote.local_copy import find_local
from datahound.runs import update_catalog
from datahound.text import show_text
from datahound.units import show_size

_SHOWN = 30

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")]
_Search = Annotated[
    str | None, typer.Option(metavar="TEXT", help="List the datasets with these words.")
]
_Formats = Annotated[
    list[str] | None, typer.Option("--format", help="Only of this format, such as csv.")
]
_Years = Annotated[
    str | None, typer.Option(help="Only what covers a year, or years such as 2010-2015.")
]
_Section = Annotated[str | None, typer.Option(help="Only of this part of the site.")]
_Statistics = Annotated[bool, typer.Option("--statistics", help="Only with a statistics table.")]
_Limit = Annotated[int, typer.Option(min=1, help="Hits to list.")]
_Again = Annotated[bool, typer.Option("--again", help="Read every file again.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def catalog(
    folder: _Folder,
    *,
    search: _Search = None,
    format_: _Formats = None,
    year: _Years = None,
    section: _Section = None,
    statistics: _Statistics = False,
    limit: _Limit = _SHOWN,
    again: _Again = False,
    json: _AsJson = False,
) -> None:
    """Look into the files of a crawl, or search among them; only new files are read.

    datahound catalog www.example.org --search "pupils school" --statistics
    """
    folder = find_local(folder)
    first, last = _years(year)
    query = Query(search or "", tuple(f.lower().lstrip(".") for f in format_ or ()),
                  first, last, section, statistics)  # fmt: skip
    # A search must find the files of now, and unchanged ones cost nothing.
    updated = (update_catalog if json else show_update)(folder, again=again)
    asked = query != Query()
    with Catalog(folder) as found:
        if asked:
            hits = found.search(query, limit=limit)
            _show_hits(hits, as_json=json)
        else:
            _show_summary(found.summary(), updated, as_json=json)


def show_update(folder: Path, *, again: bool = False) -> Updated:
    """Bring the catalogue of a crawl up to date, with progress on the terminal."""
    with progress("catalogue") as report:
        return update_catalog(
            folder,
            again=again,
            progress=lambda done, total: report("looking into files", done, total),
        )


def _years(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, _, last = text.partition("-")
    if not first.strip().isdecimal() or not (last or first).strip().isdecimal():
        raise UserError(f"{text!r} is not a year: give one, or two as 2010-2015")
    return int(first), int(last or first)


def _show_hits(hits: Hits, *, as_json: bool) -> None:
    total, entries = hits.total, hits.entries
    if as_json:
        plain = {"total": total, "missing": hits.missing, "partial": hits.partial,
                 "entries": [asdict(entry) for entry in entries]}  # fmt: skip
        typer.echo(to_json.dumps(plain, ensure_ascii=False))
        return
    out = console()
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("title", "format", "years", "tables", "file"):
        table.add_column(heading, overflow="fold")
    for entry in entries:
        statistics = f", {entry.statistics} st." if entry.statistics else ""
        table.add_row(
            Text(show_text(entry.title)),
            entry.format,
            _span(entry.first_year, entry.last_year),
            f"{entry.tables}{statistics}",
            Text(show_text(f"files/{entry.path}")),
        )
    out.print(table)
    out.print(f"{total} datasets" + (f", the first {len(entries)} shown" if total > len(entries)
              else ""), highlight=False)  # fmt: skip
    if hits.remark:
        out.print(Text(show_text(hits.remark)))


def _show_summary(summary: Summary, updated: Updated, *, as_json: bool) -> None:
    if as_json:
        plain = {
            **asdict(summary),
            "sd_yield": round(summary.sd_yield, 4),
            "mean_statistics_tables": round(summary.mean_statistics, 4),
            "update": asdict(updated),
        }
        typer.echo(to_json.dumps(plain, ensure_ascii=False))
        return
    table = Table.grid(padding=(0, 3))
    formats = ", ".join(f"{count} {name}" for name, count in summary.formats.items())
    table.add_row("datasets", f"{summary.datasets}, {show_size(summary.bytes)}")
    table.add_row("  by format", formats)
    table.add_row("  families", f"{summary.families} (formats and years of one table together)")
    table.add_row("tables", f"{summary.tables}, {summary.rows:,} rows")
    table.add_row("statistics", f"{summary.statistics_tables} tables")
    table.add_row(
        "  SD yield",
        f"{summary.sd_yield:.1%} of the datasets hold one, {summary.mean_statistics:.2f} each",
    )
    table.add_row("years", _span(summary.first_year, summary.last_year) or "none named")
    if summary.errors:
        table.add_row("not read in full", str(summary.errors))
    table.add_row("this run", f"{updated.read} read, {updated.unchanged} unchanged, "
                  f"{updated.removed} removed")  # fmt: skip
    console().print(table)


def _span(first: int | None, last: int | None) -> str:
    if first is None:
        return ""
    return str(first) if first == last else f"{first}-{last}"
