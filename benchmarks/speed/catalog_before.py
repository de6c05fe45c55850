"""Compare the time and memory that the catalogue takes per file with those of an earlier version.

    git archive 911d5cf src | tar -x -C /tmp/before
    python benchmarks/speed/catalog_before.py /tmp/before/src [--rounds 3]

Reads the judge's files (`published_tables`, both sets, and `labelled_files`) in a process of its
own for each format and version, by turns; the least processor time and the peak memory of all
rounds count. Writes catalog_before.csv to benchmarks/results.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

QUALITY = Path(__file__).parents[1] / "quality"
sys.path.insert(0, str(QUALITY))

RESULTS = Path(__file__).parents[1] / "results" / "catalog_before.csv"
NOW = Path(__file__).parents[2] / "src"
READ = """
import json, sys, tempfile, time
from pathlib import Path
from datahound.catalog.inspect import inspect_file
from datahound.catalog.readers.task import Limits, Task
def read(path):
    return inspect_file(path, Task(Limits(), Path(scratch), name=path.name))
paths = [Path(line) for line in sys.stdin.read().splitlines()]
with tempfile.TemporaryDirectory() as scratch:
    for path in paths:  # imports what the formats need
        read(path)
    begin, tables, worst = time.process_time(), 0, 0.0
    for path in paths:
        start = time.process_time()
        tables += len(read(path).tables)
        worst = max(worst, time.process_time() - start)
    seconds = time.process_time() - begin
# The peak that getrusage gives is also that of the process before exec.
status = dict(line.split(":") for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) / 1024
print(json.dumps([seconds, peak, tables, worst]))
"""


def read_files(source: Path, paths: list[Path]) -> list[float]:
    """Processor seconds, peak memory in MB, tables and the slowest file of one version."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, "-c", READ], input="\n".join(map(str, paths)), env=environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def collect_files(folder: Path) -> dict[str, list[Path]]:
    """The files by the ending of their names."""
    from labelled_files import write_all  # noqa: PLC0415
    from published_tables import write_first_files, write_independent_files  # noqa: PLC0415

    for held in (False, True):
        list(write_first_files(folder / f"first{held}", held=held))
        list(write_independent_files(folder / f"offices{held}", held=held))
    (folder / "labelled").mkdir()
    write_all(folder / "labelled")
    groups: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            groups[path.suffix.removeprefix(".")].append(path)
    return groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="the folder `src` of the earlier version")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    rows: list[list[object]] = [
        ["kind", "files", "tables_before", "tables", "ms_before", "ms", "times",
         "mb_before", "mb", "times_memory", "slowest_ms"]
    ]  # fmt: skip
    totals = [0, 0.0, 0.0]
    with tempfile.TemporaryDirectory() as name:
        for kind, paths in collect_files(Path(name)).items():
            rounds = [
                (read_files(arguments.before, paths), read_files(NOW, paths))
                for _ in range(arguments.rounds)
            ]
            before, now = ([min(turn[n][k] for turn in rounds) for k in range(4)] for n in (0, 1))
            ms = [1000 * found[0] / len(paths) for found in (before, now)]
            rows.append(
                [kind, len(paths), int(before[2]), int(now[2]), *(f"{m:.1f}" for m in ms),
                 f"{ms[1] / ms[0]:.2f}", *(f"{found[1]:.0f}" for found in (before, now)),
                 f"{now[1] / before[1]:.2f}", f"{1000 * now[3]:.0f}"]
            )  # fmt: skip
            print(*rows[-1], sep="\t", flush=True)
            totals = [totals[0] + len(paths), totals[1] + before[0], totals[2] + now[0]]
    count, old, new = totals
    rows.append(["all", count, "", "", f"{1000 * old / count:.1f}", f"{1000 * new / count:.1f}",
                 f"{new / old:.2f}", "", "", "", ""])  # fmt: skip
    print(*rows[-1], sep="\t")
    with RESULTS.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
