"""Export the catalogue and its tables as CSV files that are safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import date
from pathlib import Path

from datahound.catalog.catalog import Entry, Table
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.exports.tables import Exported, TableWorker, write_tables
from datahound.files import storage_errors
from datahound.text import guard_formula

_TABLE_COLUMNS = [f.name for f in fields(Table) if f.name not in ("address", "fields", "sample")]
_DATASET_COLUMNS = [field.name for field in fields(Entry)]


def export_csv(job: Job) -> Outcome:
    """Write `datasets.csv`, `tables.csv` and every table into a folder."""
    outcome = Outcome(job.output, {"datasets": 0})
    # `datasets.csv` comes last: its counts say how many tables were written.
    header = ["file", "url", *_TABLE_COLUMNS, "column_names"]
    with ExportFolder(job.output, "csv", force=job.force) as folder:
        with (
            folder.write_file("tables.csv", "") as draft,
            TableWorker(__name__, folder.scratch) as worker,
        ):
            written = write_tables(job, folder, ".csv", worker.write, outcome)
            _write_csv(draft, header, map(_make_table_row, written))
        with folder.write_file("datasets.csv", "") as draft:
            _write_csv(draft, _DATASET_COLUMNS, _list_datasets(job, outcome))
    return outcome


def write_table(exported: Exported, draft: Path) -> None:
    """Write a table; texts that a spreadsheet would run as formulas are quoted."""
    with exported.open_rows() as (names, rows):
        _write_csv(draft, names, rows)


def _write_csv(draft: Path, header: Sequence[object], rows: Iterable[Sequence[object]]) -> None:
    # Without a byte order mark, Excel reads UTF-8 as the local 8-bit encoding.
    with storage_errors(draft), draft.open("w", encoding="utf-8-sig", newline="") as to:
        writer = csv.writer(to)
        writer.writerow([guard_formula(name) for name in header])
        writer.writerows([_format_cell(value) for value in row] for row in rows)


def _list_datasets(job: Job, outcome: Outcome) -> Iterator[list[object]]:
    for entry in job.require_catalog().entries():
        if entry.statistics or not job.statistics_only:
            outcome.written["datasets"] += 1
            yield [getattr(entry, name) for name in _DATASET_COLUMNS]


def _make_table_row(exported: Exported) -> list[object]:
    columns = [field.name for field in exported.table.fields]
    found = [getattr(exported.table, name) for name in _TABLE_COLUMNS]
    return [exported.name, exported.entry.url, *found, columns]


def _format_cell(value: object) -> object:
    # Before numbers: in Python, True is an int.
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return guard_formula("; ".join(map(str, value)))
    if isinstance(value, date):
        return value.isoformat()
    return guard_formula(value)
