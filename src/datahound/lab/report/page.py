"""A report on results: a folder of tables and figures, and one page that works offline."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from datahound.errors import StorageError
from datahound.lab.experiments import GRID, STUDIED, TUNED
from datahound.lab.report import crawler_tables, study_tables
from datahound.lab.report.caveats import notes
from datahound.lab.report.crawler_tables import Politeness
from datahound.lab.report.figures import all_figures
from datahound.lab.report.tables import WRITERS, Table, to_html
from datahound.lab.report.web_page import PAGE
from datahound.lab.results_view import Book

_DPI = 130
_DECIMALS = re.compile(r"(\d\.\d\d)\d+")
"""What no eye can see in a drawing, and half of its size."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written, and what the reader should know."""

    page: Path
    notes: tuple[str, ...]


def write_report(book: Book, politeness: Politeness, installed: str) -> Report:
    """Write everything that there are results for into the folder `report` beside them."""
    folder = book.path / "report"
    said = tuple(notes(book, installed))
    try:
        tables = list(all_tables(book, politeness))
        _write_tables(tables, folder / "tables")
        drawn = dict(_write_figures(book, folder / "figures"))
        page = folder / "index.html"
        page.write_text(_page(book, said, tables, drawn), "utf-8")
    except OSError as error:
        raise StorageError(f"{folder}: can't be written ({error.strerror})") from None
    return Report(page, said)


def all_tables(book: Book, politeness: Politeness) -> Iterator[Table]:
    """Every table that there are results for."""
    strategies = {(run.strategy, run.variant) for run in book.runs()}
    if book.characteristics:
        yield study_tables.characteristics_table(book)
    if strategies:
        yield study_tables.requests_table(book)
        yield study_tables.volume_table(book)
        yield crawler_tables.area_table(book)
        if against := crawler_tables.against_baselines_table(book):
            yield against
        if significance := crawler_tables.significance_table(book):
            yield significance
        yield crawler_tables.time_table(book, politeness)
    if any(s == TUNED and v.partition("=")[0] in GRID for s, v in strategies):
        yield study_tables.hyperparameters_table(book)
    if any("model=" in v or "features=" in v for _, v in strategies):
        yield study_tables.classifiers_table(book)
    if any(s == STUDIED for s, _ in strategies):
        yield study_tables.misclassification_table(book)
        yield study_tables.rewards_table(book)
        yield from study_tables.groups_tables(book)
        yield study_tables.early_stopping_table(book)


def _write_tables(tables: list[Table], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        for ending, write in WRITERS.items():
            (folder / f"{table.name}.{ending}").write_text(write(table), "utf-8")


def _write_figures(book: Book, folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Write each figure as SVG and PNG, and give its name, caption and SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, caption, figure in all_figures(book):
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        svg = _DECIMALS.sub(r"\1", text.getvalue())
        (folder / f"{name}.svg").write_text(svg, "utf-8")
        figure.savefig(folder / f"{name}.png", dpi=_DPI)
        yield name, (caption, svg)


def _page(
    book: Book, said: tuple[str, ...], tables: list[Table], drawn: dict[str, tuple[str, str]]
) -> str:
    figures = [_inline(name, *figure) for name, figure in drawn.items()]
    runs = sum(1 for _ in book.runs())
    return PAGE.format(
        summary=f"{runs:,} runs on {len(book.sites)} sites, datahound {escape(book.version)}.",
        notes="".join(f"<li>{escape(note)}</li>" for note in said),
        tables="\n".join(f'<section id="{t.name}">{to_html(t)}</section>' for t in tables),
        figures="\n".join(figures),
    )


def _inline(name: str, caption: str, svg: str) -> str:
    """A figure inside the page; its ids get its name, or they would clash with other figures'."""
    body = svg[svg.index("<svg") :]
    for pattern in (r'(\bid=")', r'(href="#)', r"(url\(#)"):
        body = re.sub(pattern, rf"\g<1>{name}-", body)
    label = f'<svg role="img" aria-label="{escape(caption)}"'
    body = body.replace("<svg", label, 1)
    return f'<figure id="figure-{name}">{body}<figcaption>{escape(caption)}</figcaption></figure>'
