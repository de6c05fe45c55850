"""Inspect damaged files of all formats: none may crash the catalogue.

    python benchmarks/quality/mutated_files.py [--count 12000] [--seed 1]

The files of the judges (`published_tables`, `published_services`), and of Stata, SPSS, SAS, R and
Parquet, are
damaged by flipped, repeated, removed and inserted bytes, and by numbers at their limits. A file
that ends its worker costs one line; the catalogue goes on. Writes mutated_files.csv to
benchmarks/results.
"""

import argparse
import csv
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import polars as pl
import pyreadr
import pyreadstat
from published_further_files import FURTHER_FILES
from published_offices import Figures
from published_pages import PAGES
from published_services import SERVICES
from published_tables import write_first_files

from datahound.catalog.inspect import inspect_all
from datahound.catalog.readers.task import Limits

RESULTS = Path(__file__).parents[1] / "results"
LIMITS = Limits(seconds=20, memory_bytes=2 << 30, unpacked_bytes=64 << 20, pdf_seconds=10)
EDGES = (b"\x00", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"<", b'"', b";", b"\n")
WORKERS = 6
WORKER_ENDED = ("breaks its reader", "took longer than")


def write_samples(folder: Path) -> list[Path]:
    """One or two files of each kind."""
    kinds: dict[str, list[Path]] = {}
    for file in write_first_files(folder / "first", held=False):
        kinds.setdefault(file.path.name.partition(".")[2].partition(".")[2], []).append(file.path)
    paths = [path for files in kinds.values() for path in files[:2]]
    for name, (write, _, ending) in SERVICES.items():
        write(folder / f"{name}.{ending}", Figures(random.Random(1)))
    for name in ("bls_text", "census_text"):
        FURTHER_FILES[name][0](folder / f"{name}.txt", Figures(random.Random(1)))
    for name in ("over_three_pages", "headings_over_groups", "turned_page"):
        PAGES[name][0](folder / f"{name}.pdf", Figures(random.Random(1)))
    frame = pl.DataFrame({"region": ["a", "b", "c"] * 4, "year": [2019] * 12, "n": [1.5] * 12})
    pyreadstat.write_dta(frame, str(folder / "a.dta"))
    pyreadstat.write_sav(frame, str(folder / "a.sav"))
    pyreadstat.write_por(frame, str(folder / "a.por"))
    pyreadstat.write_xport(frame, str(folder / "a.xpt"))
    pyreadr.write_rds(str(folder / "a.rds"), frame, compress="gzip")
    frame.write_parquet(folder / "a.parquet")
    return paths + [p for p in sorted(folder.iterdir()) if p.is_file()]


def mutate(body: bytes, draw: random.Random) -> bytes:
    """A damaged copy."""
    damaged = bytearray(body)
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        place = draw.randrange(max(1, len(damaged)))
        end = place + draw.choice((1, 4, 30, 400))
        how = draw.randrange(5)
        if how == 0:
            damaged[place : place + 1] = bytes([draw.randrange(256)])
        elif how == 1:
            del damaged[place:end]
        elif how == 2:
            damaged[place:place] = damaged[place:end] * draw.choice((1, 3, 50))
        elif how == 3:
            edge = draw.choice(EDGES)
            damaged[place : place + len(edge)] = edge
        elif draw.random() < 0.2:
            del damaged[draw.randrange(len(damaged) + 1) :]
    return bytes(damaged)


def write_damaged(
    samples: list[Path], folder: Path, count: int, draw: random.Random, end: float
) -> Iterator[tuple[int, Path, str]]:
    """Damaged files, written one before each is asked for, removed by the caller."""
    for number in range(count):
        if time.monotonic() > end:
            return
        sample = samples[number % len(samples)]
        path = folder / f"{number}{sample.suffix}"
        path.write_bytes(mutate(sample.read_bytes(), draw))
        yield number, path, path.name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds")
    arguments = parser.parse_args()
    outcomes: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "damaged").mkdir()
        samples = write_samples(folder)
        files = write_damaged(
            samples,
            folder / "damaged",
            arguments.count,
            random.Random(arguments.seed),
            time.monotonic() + arguments.seconds,
        )
        for number, profile in inspect_all(files, folder / "scratch", LIMITS, WORKERS):
            kind = samples[number % len(samples)].suffix
            outcomes[kind, judge(profile)] += 1
            (folder / "damaged" / f"{number}{kind}").unlink()
    total = sum(outcomes.values())
    print(f"{total} files were inspected")
    with (RESULTS / "mutated_files.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "outcome", "files"])
        for (kind, outcome), count in sorted(outcomes.items()):
            print(kind, outcome, count, sep="\t")
            writer.writerow([kind, outcome, count])


def judge(profile: dict) -> str:
    """What became of a file: read, a line that says what is wrong, or a worker that ended."""
    error = profile["error"]
    if any(text in error for text in WORKER_ENDED):
        return "its worker ended"
    if "can't be read: " in error:
        return "a fault that its reader did not expect"
    return "read" if not error else "one line"


if __name__ == "__main__":
    main()
