"""How well statistics tables are told from other tables, on labelled files of all formats.

    python benchmarks/quality/statistics_tables.py

The files: those of the built-in site (every one holds a table of figures), those that
`labelled_files.py` writes with openpyxl, xlwt, odfpy, reportlab and Polars, and files that come
with installed packages. The labels were given by hand and stand in `statistics_labels.csv`, with
the sha256 of the packages' files; one that is missing or another one is left out, and counted. A
file is positive if it holds at least one statistics table, as defined in
`catalog.tables.statistics`.
Writes benchmarks/results/statistics_tables.csv.
"""

import argparse
import csv
import hashlib
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from labelled_files import write_all

from datahound.archive.synthetic.bodies import make_body
from datahound.archive.synthetic.targets import Target
from datahound.catalog.inspect import inspect_all
from datahound.catalog.readers.task import Limits

LABELS = Path(__file__).with_name("statistics_labels.csv")
RESULTS = Path(__file__).parents[1] / "results" / "statistics_tables.csv"
LANGUAGES = ("en", "fr", "ja", "ar")
SYNTHETIC_BYTES = 30_000


@dataclass(frozen=True)
class Labelled:
    """A file, and whether it holds a statistics table."""

    name: str
    format: str
    label: bool
    path: Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only every n-th file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = list(labelled(Path(folder)))[:: arguments.every]
        found = judge(files, Path(folder) / "scratch")
    rows = figures(files, found)
    for row in rows:
        print(*row, sep="\t")
    for file in files:
        if found[file.name] != file.label:
            print("wrong:", file.name, "is", file.label)
    if arguments.every == 1:
        with RESULTS.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def labelled(folder: Path) -> Iterator[Labelled]:
    """All files that can be had here, with their labels."""
    made = folder / "made"
    write_all(made)
    write_synthetic(made)
    packages = Path(sysconfig.get_paths()["purelib"])
    missing = 0
    for row in csv.DictReader(LABELS.read_text("utf-8").splitlines()):
        path = (made if row["from"] == "made" else packages) / row["file"]
        if row["from"] != "made" and (not path.is_file() or digest(path) != row["sha256"]):
            missing += 1
            continue
        yield Labelled(row["file"], row["format"], row["statistics"] == "1", path)
    print(f"{missing} files of packages are missing or of another version", file=sys.stderr)


def write_synthetic(folder: Path) -> None:
    """Files as the built-in site has them."""
    for kind in ("csv", "json", "ods", "pdf", "xlsx", "zip"):
        for number, language in enumerate(LANGUAGES):
            target = Target(
                number,
                "theme",
                language,
                "Wages by region",
                "wages-by-region",
                2019,
                5,
                kind,
                SYNTHETIC_BYTES,
                False,
                False,
                7919 * (number + 1),
            )
            path = folder / f"site-{language}.{kind}"
            path.write_bytes(make_body(target, SYNTHETIC_BYTES))


def judge(files: list[Labelled], scratch: Path) -> dict[str, bool]:
    """Whether the catalogue sees a statistics table in each."""
    paths = [(n, file.path.absolute(), file.path.name) for n, file in enumerate(files)]
    return {
        files[key].name: any(table["statistics"] for table in profile["tables"])
        for key, profile in inspect_all(paths, scratch, Limits(), 1)
    }


def figures(files: list[Labelled], found: dict[str, bool]) -> list[list[object]]:
    """Precision and recall by format and in all."""
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    for file in files:
        for kind in (file.format, "all"):
            counts.setdefault(kind, Counter())[file.label, found[file.name]] += 1
    rows: list[list[object]] = [
        ["format", "files", "with_statistics", "found", "false_alarms", "precision", "recall"]
    ]
    for kind in sorted(counts, key=lambda k: (k == "all", k)):
        c = counts[kind]
        right, alarms, lost = c[True, True], c[False, True], c[True, False]
        precision = f"{right / (right + alarms):.3f}" if right + alarms else ""
        recall = f"{right / (right + lost):.3f}" if right + lost else ""
        rows.append([kind, c.total(), right + lost, right, alarms, precision, recall])
    return rows


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
