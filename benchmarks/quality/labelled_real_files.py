"""Measure the catalogue on real files, from labels that were written before it read them.

    python benchmarks/quality/labelled_real_files.py FOLDER LABELS.csv [--half 1] [--wrong]

LABELS.csv has the columns `file, format, language, half, rows, columns, names, statistics, years,
title`. Only what is labelled is judged. `names` are the texts that the names of columns contain,
from left to right, parted by |; `@5 Total` goes on at the sixth column, `*Total` stands for any
column. Alternatives are parted by /. Rows are right within 2 %. Of several tables the one that fits
the label best is judged. Writes real_files.csv (half 1) or real_files_held.csv (half 2) to
benchmarks/results.
"""

import argparse
import csv
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from published_tables import RESULTS, choose_dataset_title

from datahound.catalog.inspect import inspect_all
from datahound.catalog.readers.task import Limits
from datahound.text import fold_text

MARKS = ("found", "header", "rows", "columns", "all_three", "years", "title")
Marks = dict[str, bool | None]


def judge(label: Mapping[str, str], profile: Mapping[str, Any]) -> Marks:
    """What of a file is right, wrong, or not labelled (None)."""
    tables = profile["tables"]
    fits = [_judge_table(label, table) for table in tables]
    none = dict.fromkeys(_judge_table(label, None), False)
    order = ("header", "rows", "columns")
    best = max(fits, key=lambda f: [sum(bool(f[m]) for m in order), *map(bool, f.values())],
               default=none)  # fmt: skip
    labelled = bool(label["rows"] or label["names"])
    shape: Marks = {m: best[m] if label[_FIELDS[m]] else None for m in order}
    years = next((f["years"] for f in fits if f["years"]), False)
    title = " ".join(fold_text(choose_dataset_title(tables, str(profile["title"]))).split())
    return {
        "label": label["statistics"] == "1" if label["statistics"] else None,
        "said": any(table["statistics"] for table in tables),
        "found": bool(tables) if labelled else None,
        **shape,
        "all_three": all(v is not False for v in shape.values()) if labelled else None,
        "years": years if label["years"] else None,
        "title": any(fold_text(t) in title for t in label["title"].split("/"))
        if label["title"]
        else None,
    }


_FIELDS = {"header": "names", "rows": "rows", "columns": "columns"}


def _judge_table(label: Mapping[str, str], table: Mapping[str, Any] | None) -> Marks:
    if table is None:
        return dict.fromkeys((*_FIELDS, "years"), False)
    rows = [int(n) for n in label["rows"].split("/") if n]
    years = f"{table['first_year']}-{table['last_year']}"
    return {
        "header": has_names([f["name"] for f in table["fields"]], label["names"]),
        "rows": any(abs(table["rows"] - n) <= 0.02 * n for n in rows),
        "columns": str(table["columns"]) == label["columns"],
        "years": years == label["years"],
    }


def has_names(names: Sequence[str], labels: str) -> bool:
    """Whether the labelled columns have their texts in their names."""
    shown = [" ".join(fold_text(name).split()) for name in names]
    place = 0
    for label in filter(None, labels.split("|")):
        number, _, rest = label.removeprefix("@").partition(" ")
        place, text = (int(number), rest) if label.startswith("@") else (place, label)
        candidates = shown if text.startswith("*") else shown[place : place + 1]
        wanted = [" ".join(fold_text(t).split()) for t in text.removeprefix("*").split("/")]
        whole = " ".join(wanted) if len(wanted) < 2 else ""
        if not any(t in name for name in candidates for t in [*wanted, whole] if t):
            return False
        place += 1
    return True


def count(labels: Sequence[Mapping[str, str]], marks: Sequence[Marks]) -> list[list[object]]:
    """The figures by format, by language and in all."""
    rows: list[list[object]] = [["group", "files", "statistics", "precision", "recall", *MARKS]]
    groups = sorted({x["format"] for x in labels}) + sorted({x["language"] for x in labels} - {""})
    for group in [*groups, "not pdf", "all"]:
        chosen = [
            m
            for x, m in zip(labels, marks, strict=True)
            if group in (x["format"], x["language"], "all")
            or (group == "not pdf" and x["format"] != "pdf")
        ]
        known = [m for m in chosen if m["label"] is not None]
        right = sum(1 for m in known if m["label"] and m["said"])
        said, label = (sum(bool(m[k]) for m in known) for k in ("said", "label"))
        shares = [f"{right / said:.3f}" if said else "", f"{right / label:.3f}" if label else ""]
        counts = []
        for name in MARKS:
            judged = [m[name] for m in chosen if m[name] is not None]
            counts.append(f"{sum(map(bool, judged))}/{len(judged)}")
        rows.append([group, len(chosen), f"{label} of {len(known)}", *shares, *counts])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--half", default="1", choices=("1", "2"))
    parser.add_argument("--wrong", action="store_true", help="list what is wrong")
    parser.add_argument("--suffix", default="", help="of the name of the results")
    arguments = parser.parse_args()
    with arguments.labels.open(encoding="utf-8", newline="") as file:
        labels = [row for row in csv.DictReader(file) if row["half"] == arguments.half]
    paths = [(n, arguments.folder / x["file"], x["file"]) for n, x in enumerate(labels)]
    with tempfile.TemporaryDirectory() as name:
        found = dict(inspect_all(paths, Path(name) / "scratch", Limits(), 1))
    marks = [judge(x, found[n]) for n, x in enumerate(labels)]
    rows = count(labels, marks)
    for row in rows:
        print(*row, sep="\t")
    if arguments.wrong:
        for x, mark in zip(labels, marks, strict=True):
            bad = [key for key in MARKS if mark[key] is False]
            bad += ["statistics"] if mark["label"] not in (None, mark["said"]) else []
            print(x["file"], *bad) if bad else None
    half = "" if arguments.half == "1" else "_held"
    with (RESULTS / f"real_files{half}{arguments.suffix}.csv").open("w", newline="") as target:
        csv.writer(target, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
