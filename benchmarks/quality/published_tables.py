"""Measure the catalogue on imitated publications of statistics offices, by format and language.

    python benchmarks/quality/published_tables.py [--set SET] [--held] [--wrong]

The layouts imitate those of Eurostat, DESTATIS, ONS, INE, ISTAT, Statistics Canada, the World Bank,
the UN, BLS, OECD, INSEE, GUS, BFS, CBS and e-Stat, in eight languages, written by openpyxl, xlwt,
odfpy, reportlab, pyshp and by hand, and (those of `published_layouts`) by LibreOffice, Gnumeric and
R where they are installed. The templates label what they write. Those of `published_held` and
`published_layouts_held` are set apart: the code was developed without them.
The other sets were collected later: `offices` (layouts of named offices), `further`, and `recalled`
and `reports`, which were written down from memory of real publications, without knowledge of the
catalogue's rules. The files of those are in the held half by the checksum of their name.
Writes benchmarks/results/published_SET.csv (with --held published_SET_held.csv).

A table is right if each column name contains its label, the number of columns is the same, and the
number of rows is within 2 %. A title is right if it contains the words of the label.
"""

import argparse
import csv
import random
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import published_development
import published_held
import published_layouts
import published_layouts_held
from published_case import Case, Draw, Rows, Truth, pad
from published_further import list_further_layouts
from published_further_files import FURTHER_FILES
from published_offices import Figures, Layout, list_layouts, list_period_layouts
from published_pages import PAGES
from published_programs import PROGRAMS, Order, write_by_programs
from published_recalled import list_recalled_layouts
from published_recalled_files import RECALLED_FILES, convert_workbooks, write_workbook
from published_reports import REPORTS
from published_services import SERVICES
from published_words import LANGUAGES, WORDS
from published_writers import CUBES, GRIDS, PRINTS

from datahound.catalog.inspect import inspect_all
from datahound.catalog.readers.task import Limits
from datahound.catalog.titles import choose_title, order_table_titles
from datahound.text import fold_text

Other = tuple[Callable[[Path, Figures], Truth], str, str]
RESULTS = Path(__file__).parents[1] / "results"
GROUPS = {"sdmx.xml": "sdmx", "sdmx.json": "sdmx", "spreadsheetml.xml": "spreadsheetml"}
MARKS = ("found", "header", "rows", "columns", "all_three", "years", "title")


@dataclass(frozen=True)
class File:
    """A file with its label."""

    path: Path
    format: str
    language: str
    truth: Truth


def write_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write the files of one half."""
    yield from write_first_files(folder, held=held)
    yield from write_further_files(folder, held=held)


def write_further_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write the further layouts, in other programs, and on printed pages."""
    half = published_layouts_held if held else published_layouts
    grids = GRIDS | dict.fromkeys(k for k in PROGRAMS if not k.endswith("pdf"))
    prints = PRINTS | {"lo.pdf": None}
    plan = [(t, grids, 8) for t in (*half.STATISTICS, *half.OTHERS)]
    plan += [(t, prints, 6) for t in half.PRINTED]
    orders: list[tuple[str, Order]] = []
    files, number = [], 500
    for template, writers, turns in plan:
        for _ in range(turns):
            language = LANGUAGES[number * 5 % len(LANGUAGES)]
            kind = list(writers)[number * 3 % len(writers)]
            draw = Draw(WORDS[language], random.Random((9000 if held else 0) + number))
            path = folder / f"{number}-{template.__name__}.{language}.{kind}"
            case = template(draw, number)
            if write := writers[kind]:
                write(path, case, draw)
            else:
                orders.append((kind, (path, case, draw)))
            kind = GROUPS.get(kind, kind.rpartition(".")[2])
            files.append(File(path, kind, language, case.truth))
            number += 1
    write_by_programs(orders)
    yield from (file for file in files if file.path.exists())


def write_first_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write the first layouts, and the cubes."""
    half = published_held if held else published_development
    seed = 7000 if held else 100
    folder.mkdir(parents=True, exist_ok=True)
    kinds, prints = list(GRIDS), list(PRINTS)
    plan = [(t, kinds, GRIDS, 6) for t in half.STATISTICS]
    plan += [(t, kinds, GRIDS, 6) for t in half.OTHERS]
    plan += [(t, prints, PRINTS, 4) for t in half.PRINTED]
    number = 0
    for template, formats, writers, turns in plan:
        for _ in range(turns):
            language = LANGUAGES[number * 5 % len(LANGUAGES)]
            kind = formats[number % len(formats)]
            draw = Draw(WORDS[language], random.Random(seed + number))
            path = folder / f"{number:03}-{template.__name__}.{language}.{kind}"
            case = template(draw, number)
            writers[kind](path, case, draw)
            yield File(path, GROUPS.get(kind, kind.rpartition(".")[2]), language, case.truth)
            number += 1
    for kind, write in CUBES.items():
        for turn in range(2):
            language = LANGUAGES[(number * 3 + turn) % len(LANGUAGES)]
            draw = Draw(WORDS[language], random.Random(seed + number))
            path = folder / f"{number:03}-cube.{language}.{kind}"
            truth = write(path, draw, turn + (2 if held else 0))
            yield File(path, GROUPS.get(kind, kind.rpartition(".")[2]), language, truth)
            number += 1


def write_independent_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write one half of the files in the layouts of named offices."""
    pages = {name: (write, language, "pdf") for name, (write, language) in PAGES.items()}
    layouts = [*list_layouts(), *list_period_layouts()]
    yield from write_half(folder, layouts, {**SERVICES, **pages}, held=held)


def write_later_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write one half of the files in layouts that were collected last."""
    yield from write_half(folder, list_further_layouts(), FURTHER_FILES, held=held)


def write_recalled_files(folder: Path, *, held: bool) -> Iterator[File]:
    """Write one half of the files in layouts that were written down from memory."""
    folder.mkdir(parents=True, exist_ok=True)
    by_office: list[tuple[File, list[tuple[str, Rows]]]] = []
    for layout in list_recalled_layouts():
        for number, kind in enumerate(layout.kinds) if is_held(layout.name) == held else ():
            figures = Figures(random.Random(zlib.crc32(f"{layout.name} {number}".encode())))
            sheets, truth = layout.make(figures)
            ending = "csv" if kind.startswith("csv") else kind.removeprefix("lo.")
            path = folder / f"{layout.name}-{number}.{layout.language}.{ending}"
            file = File(path, "tsv" if kind.startswith("csv\t") else ending, layout.language, truth)
            if kind.startswith("csv"):
                write_layout(path, kind, layout, sheets, truth)
            elif kind == "xlsx":
                write_workbook(path, sheets)
            else:
                by_office.append((file, sheets))
                continue
            yield file
    convert_workbooks([(file.path, sheets) for file, sheets in by_office])
    yield from (file for file, _ in by_office if file.path.exists())
    yield from write_half(folder, (), RECALLED_FILES, held=held)


def write_reports(folder: Path, *, held: bool) -> Iterator[File]:
    """Write one half of the pages of further reports."""
    yield from write_half(folder, (), REPORTS, held=held)


def write_half(
    folder: Path, layouts: Iterable[Layout], others: Mapping[str, Other], *, held: bool
) -> Iterator[File]:
    folder.mkdir(parents=True, exist_ok=True)
    for layout in layouts:
        if is_held(layout.name) != held:
            continue
        for number, kind in enumerate(layout.kinds):
            figures = Figures(random.Random(zlib.crc32(f"{layout.name} {number}".encode())))
            sheets, truth = layout.make(figures)
            ending = kind[:3] if kind.startswith("csv") else kind
            ending = "tsv" if kind.startswith("csv\t") else ending
            path = folder / f"{layout.name}-{number}.{layout.language}.{ending}"
            write_layout(path, kind, layout, sheets, truth)
            yield File(path, ending, layout.language, truth)
    for name, (write, language, ending) in others.items():
        if is_held(name) == held:
            path = folder / f"{name}.{language}.{ending}"
            truth = write(path, Figures(random.Random(zlib.crc32(name.encode()))))
            group = "sdmx" if name.startswith("sdmx") and "xml" in ending else ending
            if path.exists():
                yield File(path, group.rpartition(".")[2], language, truth)


def is_held(name: str) -> bool:
    """Whether a layout is in the half that is set apart."""
    return zlib.crc32(name.encode()) % 2 == 1


def write_layout(
    path: Path, kind: str, layout: Layout, sheets: list[tuple[str, Rows]], truth: Truth
) -> None:
    """Write sheets as a file of a kind, such as xlsx or `csv;cp1252`."""
    if not kind.startswith("csv"):
        words = replace(WORDS["en"], code=layout.language)
        GRIDS[kind](path, Case(sheets, truth), Draw(words, random.Random(1)))
        return
    delimiter, encoding = kind[3], kind[4:]
    rows = max((rows for _, rows in sheets), key=len)
    comma = delimiter == ";" and layout.language not in ("en", "ja", "zh")
    quoting = csv.QUOTE_ALL if encoding == "quoted" else csv.QUOTE_MINIMAL
    with path.open("w", encoding="utf-8" if encoding == "quoted" else encoding, newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=quoting)
        for row in rows if delimiter == ";" or encoding == "quoted" else pad(rows):
            shown = [f"{c}".replace(".", ",") if comma and isinstance(c, float) else c for c in row]
            writer.writerow(shown)


def judge(file: File, profile: Mapping[str, Any]) -> dict[str, bool | None]:
    """What is right about the catalogue's view of a file; None where the label says nothing."""
    tables = profile["tables"]
    truth = file.truth
    said = any(table["statistics"] for table in tables)
    marks: dict[str, bool | None] = {"label": truth.statistics, "said": said}
    main = max(tables, key=lambda t: t["rows"] * t["columns"], default=None)
    if not truth.names:
        return marks | dict.fromkeys(MARKS)
    marks["found"] = main is not None
    names = [str(f["name"]) for f in main["fields"]] if main else []
    marks["header"] = bool(main) and has_names(names, truth.names)
    marks["rows"] = bool(main) and abs(main["rows"] - truth.rows) <= 0.02 * truth.rows
    marks["columns"] = bool(main) and (main["columns"] == len(truth.names) or file.format == "sdmx")
    marks["all_three"] = all(marks[name] for name in ("header", "rows", "columns"))
    years = (main["first_year"], main["last_year"]) if main else None
    marks["years"] = None if truth.years is None else years == truth.years
    marks["title"] = has_title(tables, str(profile["title"]), truth.title)
    return marks


def has_names(names: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether each column has the text of its label in its name."""
    if len(names) < len(labels):
        return False
    pairs = zip(names, labels, strict=False)
    return all(" ".join(fold_text(label).split()) in fold_text(name) for name, label in pairs)


def has_title(tables: Sequence[Mapping[str, Any]], own: str, label: str) -> bool | None:
    """Whether the title that the catalogue chooses has the words of the label."""
    if not label:
        return None
    chosen = choose_dataset_title(tables, own)
    # Bilingual publications have two titles.
    return any(fold_text(part) in fold_text(chosen) for part in label.split("|"))


def choose_dataset_title(tables: Sequence[Mapping[str, Any]], own: str) -> str:
    titles = order_table_titles(tables)
    return choose_title("Download", own, titles, "", "https://www.example.org/files/a0217.dat")


def measure(files: Sequence[File], scratch: Path) -> list[dict[str, bool | None]]:
    paths = [(n, file.path.absolute(), file.path.name) for n, file in enumerate(files)]
    found = dict(inspect_all(paths, scratch, Limits(), 1))
    return [judge(file, found[n]) for n, file in enumerate(files)]


def count(files: Sequence[File], marks: Sequence[Mapping[str, bool | None]]) -> list[list[object]]:
    """The figures by format, by language and in all."""
    rows: list[list[object]] = [["group", "files", "statistics", "precision", "recall", *MARKS]]
    groups = (
        sorted({f.format for f in files}) + sorted({f.language for f in files}) + ["all", "not pdf"]
    )
    for group in groups:
        chosen = [
            m
            for f, m in zip(files, marks, strict=True)
            if group in (f.format, f.language, "all") or (group == "not pdf" and f.format != "pdf")
        ]
        right = sum(1 for m in chosen if m["label"] and m["said"])
        said = sum(1 for m in chosen if m["said"])
        label = sum(1 for m in chosen if m["label"])
        shares = [f"{right / said:.3f}" if said else "", f"{right / label:.3f}" if label else ""]
        counts = []
        for name in MARKS:
            known = [m[name] for m in chosen if m[name] is not None]
            counts.append(f"{sum(map(bool, known))}/{len(known)}")
        rows.append([group, len(chosen), label, *shares, *counts])
    return rows


SETS: dict[str, Callable[..., Iterator[File]]] = {
    "tables": write_files,
    "offices": write_independent_files,
    "further": write_later_files,
    "recalled": write_recalled_files,
    "reports": write_reports,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held", action="store_true", help="judge the half that is set apart")
    parser.add_argument("--set", default="tables", choices=sorted(SETS), help="which files")
    parser.add_argument("--suffix", default="", help="of the name of the results")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong")
    parser.add_argument("--keep", type=Path, help="keep the files in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or Path(name)
        files = list(SETS[arguments.set](folder / "files", held=arguments.held))
        marks = measure(files, Path(name) / "scratch")
    rows = count(files, marks)
    for row in rows:
        print(*row, sep="\t")
    if arguments.wrong:
        for file, mark in zip(files, marks, strict=True):
            bad = [key for key, value in mark.items() if value is False and key in MARKS]
            bad += ["statistics"] if mark["label"] != mark["said"] else []
            print(file.path.name, *bad) if bad else None
    half = "_held" if arguments.held else ""
    target = RESULTS / f"published_{arguments.set}{half}{arguments.suffix}.csv"
    with target.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
