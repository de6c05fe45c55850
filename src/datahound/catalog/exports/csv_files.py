"""The catalogue and its tables as CSV files that a spreadsheet opens safely."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import date
from pathlib import Path

from datahound.catalog.catalog import Entry, Table
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.exports.table_worker import TableWorker
from datahound.catalog.exports.tables import Exported, write_tables
from datahound.files import storage_errors
from datahound.text import guard_formula

_OF_TABLE = [f.name for f in fields(Table) if f.name not in ("address", "fields", "sample")]
_OF_ENTRY = [field.name for field in fields(Entry)]


def export_csv(job: Job) -> Outcome:
    """Write `datasets.csv`, `tables.csv` and every table into a folder."""
    outcome = Outcome(job.output, {"datasets": 0})
    folder = ExportFolder(job.output, "csv", force=job.force)
    finished = False
    try:
        with (
            folder.making("tables.csv", "") as draft,
            TableWorker(__name__, folder.scratch) as worker,
        ):
            written = write_tables(job, folder, ".csv", worker.write, outcome)
            _write(draft, ["file", "url", *_OF_TABLE, "column_names"], map(_table_row, written))
        with folder.making("datasets.csv", "") as draft:
            _write(draft, _OF_ENTRY, _dataset_rows(job, outcome))
        finished = True
    finally:
        folder.close(finished=finished)
    return outcome


def write_table(exported: Exported, draft: Path) -> None:
    """Write a table as it is, but for what a spreadsheet would take for a formula."""
    with exported.reading() as (names, rows):
        _write(draft, names, rows)


def _write(draft: Path, header: Sequence[object], rows: Iterable[Sequence[object]]) -> None:
    # With a mark at its beginning: without it, Excel takes UTF-8 for something older.
    with storage_errors(draft), draft.open("w", encoding="utf-8-sig", newline="") as to:
        writer = csv.writer(to)
        writer.writerow([guard_formula(name) for name in header])
        writer.writerows([_cell(value) for value in row] for row in rows)


def _dataset_rows(job: Job, outcome: Outcome) -> Iterator[list[object]]:
    for entry in job.catalog.entries() if job.catalog else ():
        if entry.statistics or not job.statistics_only:
            outcome.written["datasets"] += 1
            yield [getattr(entry, name) for name in _OF_ENTRY]


def _table_row(exported: Exported) -> list[object]:
    columns = [field.name for field in exported.table.fields]
    found = [getattr(exported.table, name) for name in _OF_TABLE]
    return [exported.name, exported.entry.url, *found, columns]


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return guard_formula("; ".join(map(str, value)))
    if isinstance(value, date):
        return value.isoformat()
    return guard_formula(value)
