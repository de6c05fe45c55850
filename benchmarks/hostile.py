"""Hostile answers by seed, each read within limits: the time and memory that they need.

    python benchmarks/hostile.py [--pages 20000] [--first 0] [--out benchmarks/results/hostile.csv]

The answers are those of tests/hostile.py. A process reads one after the other, with the address
space of a worker; one that dies or hangs costs that answer, and another process goes on behind it.
A row per kind of answer, and exit status 1 where an answer is beyond the limits.
"""

import argparse
import csv
import json
import resource
import selectors
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
ADDRESS_SPACE = 1 << 30
HANGS_AFTER_SECONDS = 60.0
MAX_SECONDS, MAX_MB = 2.0, 300
PER_PROCESS = 2000

Row = dict[str, Any]


def read_all(first: int, count: int) -> Iterator[Row]:
    """Read that many answers; a row for each, with an `error` where its process did not survive."""
    end = first + count
    while first < end:
        begun = first
        for row in read_some(first, min(PER_PROCESS, end - first)):
            if "begun" in row:
                begun = row["begun"]
            else:
                yield row
        first = begun + 1


def read_some(first: int, count: int) -> Iterator[Row]:
    command = [sys.executable, str(TESTS / "hostile_reading.py"), str(first), str(count)]
    with (
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limit_memory,  # noqa: PLW1509 no threads here
        ) as process,
        selectors.DefaultSelector() as waiting,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        waiting.register(process.stdout, selectors.EVENT_READ)
        seed = first
        while waiting.select(HANGS_AFTER_SECONDS):
            line = process.stdout.readline()
            if not line:
                break
            row = json.loads(line)
            seed = row.get("begun", seed)
            yield row
        else:
            process.kill()
            yield {"seed": seed, "kind": "?", "error": "hangs"}
            return
        if process.wait():
            said = process.stderr.read().decode(errors="replace").strip().rpartition("\n")[2]
            yield {"seed": seed, "kind": "?", "error": said or f"status {process.returncode}"}


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def is_beyond(row: Row) -> bool:
    return "error" in row or row["seconds"] > MAX_SECONDS or row["peak_mb"] > MAX_MB


def summarize(kind: str, rows: list[Row]) -> Row:
    whole = [row for row in rows if "error" not in row]
    slow = max(whole, key=lambda row: row["seconds"], default=None)
    large = max(whole, key=lambda row: row["peak_mb"], default=None)
    return {
        "kind": kind,
        "answers": len(rows),
        "megabytes": round(sum(row["bytes"] for row in whole) / 1e6),
        "links": sum(row["links"] for row in whole),
        "mean_ms": round(1000 * sum(row["seconds"] for row in whole) / max(1, len(whole)), 1),
        "max_seconds": slow and slow["seconds"],
        "slowest_seed": slow and slow["seed"],
        "max_mb": large and large["peak_mb"],
        "largest_seed": large and large["seed"],
        "died": len(rows) - len(whole),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    by_kind: dict[str, list[Row]] = defaultdict(list)
    beyond = 0
    for row in read_all(given.first, given.pages):
        by_kind[row["kind"]].append(row)
        by_kind["all"].append(row)
        if is_beyond(row):
            beyond += 1
            print(row, file=sys.stderr, flush=True)
    summaries = [summarize(kind, rows) for kind, rows in sorted(by_kind.items())]
    with given.out.open("w", newline="") if given.out else sys.stdout as file:
        table = csv.DictWriter(file, summaries[0])
        table.writeheader()
        table.writerows(summaries)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
