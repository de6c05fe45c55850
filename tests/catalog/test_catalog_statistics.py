"""Which tables are statistics tables."""

import sys
from pathlib import Path

import pytest

from datahound.catalog.tables.column_counts import ColumnCounts, count_values
from datahound.catalog.tables.columns import describe_column, describe_columns
from datahound.catalog.tables.layout import find_layouts
from datahound.catalog.tables.profile import Grid, profile_table
from datahound.catalog.tables.statistics import is_statistics

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))


def test_statistics_tables_are_told_from_others(tmp_path):
    """On every fourth of the labelled files, precision and recall are at least 0.9."""
    from statistics_tables import figures, judge, labelled

    files = list(labelled(tmp_path))[::4]
    assert len(files) >= 80
    *_, last = figures(files, judge(files, tmp_path / "scratch"))
    assert last[0] == "all"
    assert float(last[5]) >= 0.9, last
    assert float(last[6]) >= 0.9, last


def judge(rows):
    (layout,) = find_layouts(rows)
    return profile_table(Grid("", {}, "", rows), layout).statistics


NAMES = ["Berlin", "Hamburg", "München", "Köln", "Bremen", "Kiel"]
WIDE = [["town", "men", "women"], *([name, n * 7, n * 9] for n, name in enumerate(NAMES, 5))]
LONG = [["town", "sex", "year", "persons"],
        *([name, sex, year, len(name) * year % 991] for name in NAMES for sex in ("f", "m")
          for year in (2019, 2020))]  # fmt: skip
YEARS = [["", "2018", "2019", "2020"], *([f"{n}{n}", n * 7, n * 9, n * 8] for n in range(3, 9))]


@pytest.mark.parametrize("rows", [WIDE, LONG, YEARS], ids=["wide", "long", "years in the header"])
def test_figures_over_dimensions_are_statistics(rows):
    """In wide and in long form."""
    assert judge(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [["name", "phone"], *([name, f"030 12345{n}"] for n, name in enumerate(NAMES))],
        [["stop", "lat", "lon"], *([name, 52 + n / 7, 13 + n / 7] for n, name in enumerate(NAMES))],
        [["id", "name"], *([n * 13 + 5, name] for n, name in enumerate(NAMES))],
        [["town", "men"], ["Berlin", 5]],
        [["a", "b"], [1.5, 2.5], [3.5, 4.5], [5.5, 6.5]],
        [["topic", "text", "votes"],
         *([name, f"Sentence {n} about the matter, long enough to be prose. " * 3, n * 7]
           for n, name in enumerate(NAMES))],
    ],
    ids=["phone book", "stops", "identifiers", "one row", "no dimension", "prose"],
)  # fmt: skip
def test_lists_are_not_statistics(rows):
    """Codes, places on the map, single rows, bare numbers and prose."""
    assert not judge(rows)


def test_a_register_of_payments_is_not_statistics():
    """Its rows are numbered, and hardly any combination of its labels occurs twice."""
    names = ["number", "day", "supplier", "area", "kind", "amount"]
    rows = [[7000 + 3 * n, f"2021-03-{n % 28 + 1:02}", f"Firm {n % 9}", f"Area {n % 5}",
             f"Kind {n % 4}", 100.5 + n * 37 % 91] for n in range(60)]  # fmt: skip
    assert not judge([names, *rows])
    assert judge([names[1:], *(row[1:] for row in rows)])


def test_redundant_columns_do_not_outweigh_the_figures():
    """A constant, a code beside its label, and coordinates of named places."""
    rows = [["unit", "code", "town", "lat", "lon", "persons"]]
    rows += [["persons", name[:2].upper(), name, 50 + n / 3, 9 + n / 3, n * 7 + 3]
             for n, name in enumerate(NAMES)]  # fmt: skip
    assert judge(rows)


def test_one_measure_by_region_and_year():
    """A year beside a label takes little from the share of figures."""
    rows = [[f"r{n}", 2010 + n, n * 7] for n in range(8)]
    assert is_statistics_table(["region", "year", "value"], rows)
    dates = [[f"{n}.0", f"2016-0{n + 1}-15", f"change {n}"] for n in range(8)]
    assert not is_statistics_table(["version", "date", "what"], dates)


def is_statistics_table(names, rows):
    columns = []
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        counts = ColumnCounts()
        counts.add(values)
        columns.append(describe_column(name, counts))
    return is_statistics(columns, len(rows))


def test_columns_of_flags_do_not_outweigh_the_figures():
    """Half of the columns may say how good the figures beside them are."""
    names = ["Area", "Item", "Unit", *(n for y in range(2010, 2016) for n in (f"Y{y}", f"Y{y}F"))]
    rows = [
        [f"Area {k}", "Wheat", "t", *(c for y in range(6) for c in (100 * k + y, "AEX"[y % 3]))]
        for k in range(1, 9)
    ]
    assert is_statistics(
        describe_columns(names, [count_values(c) for c in zip(*rows, strict=True)]), len(rows)
    )
