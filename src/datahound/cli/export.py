"""`datahound export`: what a crawl found, for other programs, portals and archives."""

from contextlib import nullcontext
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from datahound.catalog.catalog import Catalog
from datahound.catalog.exports import FORMATS, Crawled, Format, Job, Kept, Page, format_named
from datahound.cli.catalog import show_update
from datahound.cli.progress import progress
from datahound.errors import UserError
from datahound.remote.local_copy import find_local
from datahound.report.status import read_status
from datahound.store.folder import Folder
from datahound.store.queries import KeptTarget, iterate_kept_files, iterate_pages

_SHOWN_NOTES = 20
_OF_THE_CRAWL = {
    "files",
    "pages",
    "crawl.db",
    "crawl.db-wal",
    "crawl.db-shm",
    "crawl.lock",
    "catalog.db",
    "datasets.csv",
    "report.html",
}

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")]
_Form = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
]
_Output = Annotated[
    Path | None, typer.Option(help="The file or folder to write; in the crawl's folder by default.")
]
_StatisticsOnly = Annotated[
    bool, typer.Option("--statistics-only", help="Only what holds statistics tables.")
]
_Force = Annotated[
    bool,
    typer.Option("--force", help="Overwrite the output even if no export of Datahound made it."),
]


def export(
    folder: _Folder,
    *,
    form: _Form,
    output: _Output = None,
    statistics_only: _StatisticsOnly = False,
    force: _Force = False,
) -> None:
    """Export what a crawl found: as a catalogue, as tables, as a web archive.

    datahound export www.example.org --format parquet
    """
    chosen = format_named(form)
    folder = find_local(folder)
    if statistics_only and not chosen.of_catalog:
        raise UserError(f"--statistics-only is for the catalogue and its tables, not for {form}")
    crawled = crawled_in(folder)
    notes = _Notes()
    with _open_catalog(folder) if chosen.of_catalog else nullcontext() as catalog:
        place = _choose_place(output, chosen, crawled)
        with progress("export") as report:
            job = Job(crawled, place, catalog, statistics_only, force, notes.note, report)
            outcome = chosen.export(job)
    notes.end()
    typer.echo(str(outcome))


def crawled_in(path: Path) -> Crawled:
    """The crawl in a folder, as the exports need it."""
    report = read_status(path)
    database = Folder(path).database
    return Crawled(
        path,
        report.seed,
        _format_time(report.began_at),
        _format_time(report.last_at),
        f"datahound {version('datahound')}",
        lambda: map(_describe_kept, iterate_kept_files(database)),
        lambda: (Page(*page) for page in iterate_pages(database)),
    )


def _describe_kept(file: KeptTarget) -> Kept:
    return Kept(
        file.url,
        file.path,
        file.bytes,
        file.sha256,
        file.mime_type,
        file.last_modified,
        file.found_at,
    )


class _Notes:
    """Says the first few lines of what was left out, and counts the rest."""

    def __init__(self) -> None:
        self._count = 0

    def note(self, line: str) -> None:
        self._count += 1
        if self._count <= _SHOWN_NOTES:
            typer.echo(f"left out: {line}", err=True)

    def end(self) -> None:
        if self._count > _SHOWN_NOTES:
            typer.echo(f"left out: {self._count - _SHOWN_NOTES} more", err=True)


def _open_catalog(folder: Path) -> Catalog:
    """The catalogue of the crawl's present state; an older one where it can't be updated."""
    try:
        show_update(folder)
    except UserError:
        if not Catalog.exists(folder):
            raise
    return Catalog(folder)


def _choose_place(output: Path | None, chosen: Format, crawled: Crawled) -> Path:
    if output is None:
        return chosen.default_output(crawled)
    home, place = crawled.folder.resolve(), output.resolve()
    inside = place.relative_to(home).parts if place.is_relative_to(home) else ("",)
    if not inside or inside[0] in _OF_THE_CRAWL:
        raise UserError(f"{output}: belongs to the crawl itself; give another place")
    return output


def _format_time(at: float | None) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else ""
