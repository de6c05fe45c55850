"""SD yield of sites by the catalogue as it is, and by an earlier version.

    git archive 911d5cf src | tar -x -C /tmp/before
    python benchmarks/quality/yield_before.py /tmp/before/src

SD yield is the share of the files with a statistics table, and the mean number of statistics tables
per file. Recorded sites have no bodies of data files, so the samples are the files of the built-in
site and both sets of the judge (`published_tables`), whose labels give the yield that is right.
Writes yield_before.csv to benchmarks/results.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from published_tables import write_first_files, write_independent_files

from datahound.archive import open_archive
from datahound.model import Fetch

RESULTS = Path(__file__).parents[1] / "results" / "yield_before.csv"
NOW = Path(__file__).parents[2] / "src"
BUILT_IN = "synthetic:demo?scale=0.2&max_body=60000&bodies=on"
READ = """
import json, sys, tempfile
from pathlib import Path
from datahound.catalog.inspect import inspect_all
from datahound.catalog.readers.task import Limits
paths = [Path(line) for line in sys.stdin.read().splitlines()]
with tempfile.TemporaryDirectory() as scratch:
    files = [(n, path, path.name) for n, path in enumerate(paths)]
    found = dict(inspect_all(files, Path(scratch) / "scratch", Limits(), 1))
print(json.dumps([
    [found[n]["format"], len(found[n]["tables"]), sum(t["statistics"] for t in found[n]["tables"])]
    for n in range(len(paths))
]))
"""


def inspect_with(source: Path, paths: list[Path]) -> list[tuple[str, int, int]]:
    """Format, tables and statistics tables of each file by one version."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, "-c", READ], input="\n".join(map(str, paths)), env=environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[tuple[str, int, int]] = json.loads(done.stdout.splitlines()[-1])
    return found


def write_samples(folder: Path) -> Iterator[tuple[str, list[Path], str]]:
    """Name and files of each sample, and the share of them with statistics by their labels."""
    (folder / "built-in").mkdir()
    paths = []
    with closing(open_archive(BUILT_IN)) as archive:
        for number, url in enumerate(archive.targets()):
            paths.append(folder / "built-in" / f"{number}-{url.rpartition('/')[2][-40:]}")
            paths[-1].write_bytes(archive.get(Fetch(url)).body)
    yield "built-in site", paths, ""
    for name, write in (("layouts", write_first_files), ("offices", write_independent_files)):
        files = [f for h in (False, True) for f in write(folder / f"{name}-{h}", held=h)]
        share = sum(file.truth.statistics for file in files) / len(files)
        yield name, [file.path for file in files], f"{share:.3f}"


def count(found: list[tuple[str, int, int]]) -> list[object]:
    yielding = sum(1 for _, _, statistics in found if statistics)
    total = sum(statistics for _, _, statistics in found)
    tables = sum(tables for _, tables, _ in found)
    return [len(found), tables, total, f"{yielding / len(found):.3f}", f"{total / len(found):.3f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="the folder `src` of the earlier version")
    arguments = parser.parse_args()
    rows: list[list[object]] = [
        ["sample", "version", "files", "tables", "statistics", "share_of_files", "tables_per_file",
         "share_by_labels"]
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        for sample, paths, share in write_samples(Path(name)):
            for version, source in (("before", arguments.before), ("now", NOW)):
                rows.append([sample, version, *count(inspect_with(source, paths)), share])
                print(*rows[-1], sep="\t", flush=True)
    with RESULTS.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
