"""Compare the tables of PDF files with those of camelot's stream mode, read by the same rules.

    python benchmarks/quality/against_camelot.py PYTHON_WITH_CAMELOT

PYTHON_WITH_CAMELOT is the interpreter of an environment with camelot-py, which Datahound itself
does not use. The files are PDF files of the judge (`published_tables`): both halves of the first
layouts, of the pages of offices, and of those that were written down from memory. The cells that
camelot finds become tables by the layout rules of the catalogue, so that only the reading of the
pages is compared; the largest table of a file counts. Writes against_camelot.csv to
benchmarks/results.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from published_tables import (
    File,
    judge,
    write_first_files,
    write_independent_files,
    write_recalled_files,
    write_reports,
)

from datahound.catalog.inspect import inspect_file
from datahound.catalog.readers.task import Limits, Task, profile_grid
from datahound.catalog.tables.profile import Grid

RESULTS = Path(__file__).parents[1] / "results" / "against_camelot.csv"
MARKS = ("found", "header", "rows", "columns", "all_three")
SETS = {
    "layouts": write_first_files,
    "offices": write_independent_files,
    "recalled": write_recalled_files,
    "reports": write_reports,
}
CAMELOT = """
import json, sys, warnings
import camelot
warnings.filterwarnings("ignore")
for path in sys.stdin.read().splitlines():
    try:
        found = [t.df.values.tolist() for t in camelot.read_pdf(path, pages="all", flavor="stream")]
    except Exception:
        found = []
    print(json.dumps([[[str(cell) for cell in row] for row in table] for table in found]))
"""


def read_with_camelot(python: Path, files: list[File], scratch: Path) -> list[dict]:
    """The tables of each file as the catalogue would describe the cells that camelot finds."""
    paths = "\n".join(str(file.path) for file in files)
    done = subprocess.run(
        [python, "-c", CAMELOT], input=paths, capture_output=True, text=True, check=True
    )
    profiles = []
    for file, line in zip(files, done.stdout.splitlines(), strict=True):
        task = Task(Limits(), scratch, name=file.path.name)
        tables = [
            table
            for cells in json.loads(line)
            for table in profile_grid(
                Grid("page", {}, "", [[" ".join(c.split()) for c in row] for row in cells]), task
            )
        ]
        profiles.append({"title": "", "tables": [asdict(table) for table in tables]})
    return profiles


def count(name: str, files: list[File], profiles: list[dict], seconds: float) -> list[object]:
    marks = [judge(file, profile) for file, profile in zip(files, profiles, strict=True)]
    known = [mark for mark in marks if mark["found"] is not None]
    right = [f"{sum(bool(mark[name]) for mark in known)}/{len(known)}" for name in MARKS]
    # A page without a table, in which a table of figures was found.
    wrong = sum(1 for mark in marks if mark["said"] and not mark["label"])
    return [name, len(files), *right, wrong, f"{1000 * seconds / len(files):.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", type=Path, help="interpreter of an environment with camelot-py")
    arguments = parser.parse_args()
    rows: list[list[object]] = [
        ["group", "reader", "files", *MARKS, "statistics_where_none_are", "ms_per_file"]
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for group, write in SETS.items():
            files = [
                file
                for held in (False, True)
                for file in write(folder / f"{group}-{held}", held=held)
                if file.format == "pdf"
            ]
            begin = time.perf_counter()
            mine = [
                inspect_file(file.path, Task(Limits(), folder, name=file.path.name)).to_dict()
                for file in files
            ]
            middle = time.perf_counter()
            other = read_with_camelot(arguments.python, files, folder)
            end = time.perf_counter()
            rows.append([group, *count("catalogue", files, mine, middle - begin)])
            rows.append([group, *count("camelot stream", files, other, end - middle)])
    for row in rows:
        print(*row, sep="\t")
    with RESULTS.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
