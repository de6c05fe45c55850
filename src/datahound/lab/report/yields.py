"""How many data files of crawls hold statistics tables: counted in all, and in a sample by hand.

The paper opens 40 random targets of each site and counts the statistics tables in them. The sample
drawn here is written to a file with an empty column for that, beside what the catalogue counts in
the same files and in all files of the crawl.
"""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from datahound.catalog.catalog import Catalog
from datahound.errors import StorageError, UserError
from datahound.lab.report.paper_values import read_sd_yields
from datahound.lab.report.summary import ABSENT
from datahound.lab.report.tables import WRITERS, ResultTable, TableRow, make_cell
from datahound.text import guard_formula

SAMPLE_SIZE = 40
"""Targets of each site that the paper's authors looked into."""
# The two-sided 95 % quantile of the normal distribution.
_Z = 1.96
_COLUMNS = ("site", "url", "file", "counted", "by hand")
_SAMPLE = "sample.csv"


@dataclass(frozen=True, slots=True)
class CountedFile:
    """A file of a crawl and its statistics tables."""

    url: str
    path: str
    statistics: int


@dataclass(frozen=True, slots=True)
class SiteYield:
    """The files of a site, those of its sample, and what a person counted in the sample."""

    site: str
    files: tuple[CountedFile, ...]
    sample: tuple[CountedFile, ...]
    by_hand: tuple[int, ...] = ()
    """One count per file of the sample; empty unless all of them were counted."""


def measure_yields(
    folders: Sequence[Path], out: Path, size: int = SAMPLE_SIZE, seed: int = 0
) -> ResultTable:
    """Draw a sample per crawl folder, and write it and the table into a folder.

    What a person wrote into the column `by hand` of an earlier sample there is kept and counted.
    """
    names = [folder.resolve().name for folder in folders]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two crawls are called {name}: give them other names")
    counts = read_hand_counts(out / _SAMPLE)
    found = []
    for folder, name in zip(folders, names, strict=True):
        files = read_files(folder)
        sample = draw_sample(files, size, seed)
        by_hand = [counts.get((name, file.url)) for file in sample]
        known = tuple(count for count in by_hand if count is not None)
        found.append(SiteYield(name, files, sample, known if len(known) == len(sample) else ()))
    table = make_yield_table(found)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for suffix, write in WRITERS.items():
            (out / f"{table.name}.{suffix}").write_text(write(table), "utf-8")
        _write_sample(out / _SAMPLE, found, counts)
    except OSError as error:
        raise StorageError(f"{out}: can't be written ({error.strerror})") from None
    return table


def read_files(folder: Path) -> tuple[CountedFile, ...]:
    """Read the files of a crawl and their statistics tables from its catalogue."""
    with Catalog(folder) as catalog:
        found = [CountedFile(e.url, e.path, e.statistics) for e in catalog.entries()]
    if not found:
        raise UserError(f"{folder}: no file in its catalogue")
    return tuple(found)


def draw_sample(
    files: Sequence[CountedFile], size: int = SAMPLE_SIZE, seed: int = 0
) -> tuple[CountedFile, ...]:
    """Draw files without replacement; the same ones each time, in whatever order they are given."""
    ordered = sorted(files, key=lambda file: file.url)
    return tuple(Random(seed).sample(ordered, min(size, len(ordered))))


def find_interval(hits: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score.

    >>> [round(end, 3) for end in find_interval(20, 40)]
    [0.352, 0.648]
    """
    share, square = hits / total, _Z * _Z
    middle = share + square / (2 * total)
    half = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    whole = 1 + square / total
    # Rounding must not leave the range of a share.
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def make_yield_table(found: Iterable[SiteYield]) -> ResultTable:
    """Return a row per site, and the paper's rows below."""
    rows = [TableRow(one.site, tuple(map(make_cell, _list_cells(one)))) for one in found]
    for number, (site, (percent, mean)) in enumerate(read_sd_yields().items()):
        hits = round(float(percent) / 100 * SAMPLE_SIZE)
        cells = (*[ABSENT] * 6, f"{percent} {_show_interval(hits, SAMPLE_SIZE)}", mean)
        rows.append(TableRow(f"{site} (paper)", tuple(map(make_cell, cells)), ruled=not number))
    columns = (
        "site", "files", "SD yield (%)", "SDs per file", "sample", "SD yield in sample (%)",
        "SDs per file in sample", "SD yield by hand (%)", "SDs per file by hand",
    )  # fmt: skip
    note = (
        "SD yield: files with at least one statistics table. Counted by the catalogue in all files,"
        " then in the sample, and by a person in the sample. In brackets: 95 % interval (Wilson)."
        f" The paper's authors counted by hand, in {SAMPLE_SIZE} random targets of each site."
    )
    title = "Statistics tables in the files of crawls"
    return ResultTable("sd-yield", title, columns, tuple(rows), note)


def read_hand_counts(path: Path) -> dict[tuple[str, str], int]:
    """Read what a person counted, by site and URL; empty cells are left out."""
    if not path.exists():
        return {}
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.DictReader(file) if (row.get("by hand") or "").strip()]
    except (OSError, UnicodeError, csv.Error) as error:
        raise UserError(f"{path}: can't be read ({error})") from None
    counts = {}
    for row in rows:
        text = row["by hand"].strip()
        if not text.isdecimal() or not row.get("site") or not row.get("url"):
            raise UserError(f"{path}: {text!r} is not a number of tables of a file")
        counts[row["site"], row["url"]] = int(text)
    return counts


def _write_sample(
    path: Path, found: Sequence[SiteYield], counts: dict[tuple[str, str], int]
) -> None:
    """Write the sample, with the counts of a person that there are."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for one in found:
            for f in one.sample:
                row = one.site, f.url, f.path, f.statistics, counts.get((one.site, f.url), "")
                # URLs come from websites, and people open this file in a spreadsheet.
                writer.writerow([guard_formula(cell) for cell in row])


def _list_cells(one: SiteYield) -> tuple[str, ...]:
    everything = [file.statistics for file in one.files]
    sample = [file.statistics for file in one.sample]
    return (
        f"{len(everything):,}",
        f"{100 * sum(map(bool, everything)) / len(everything):.1f}",
        f"{fmean(everything):.2f}",
        str(len(sample)),
        *_show_counts(sample),
        *(_show_counts(one.by_hand) if one.by_hand else (ABSENT, ABSENT)),
    )


def _show_counts(counts: Sequence[int]) -> tuple[str, str]:
    hits = sum(map(bool, counts))
    share = 100 * hits / len(counts)
    return f"{share:.1f} {_show_interval(hits, len(counts))}", f"{fmean(counts):.2f}"


def _show_interval(hits: int, total: int) -> str:
    low, high = find_interval(hits, total)
    return f"[{100 * low:.0f}–{100 * high:.0f}]"
