"""The narrowest Parquet type that loses nothing."""

import datetime as dt

import polars as pl
import pytest

from datahound.catalog.exports.parquet import (
    Misfit,
    convert_values,
    get_dtype,
    normalize_type,
    widen_type,
)


def test_conversions():
    """What a type can't hold is never bent to fit."""
    assert convert_values("integer", [1, 2.0, "3", "1 000", "..", None], ".") == [
        1,
        2,
        3,
        1000,
        None,
        None,
    ]
    assert convert_values("number", [1, "2,5", float("nan")], ",") == [1.0, 2.5, None]
    for kind, value in [
        ("integer", 1.5), ("integer", 2**63), ("number", 2**60 + 1), ("boolean", 1),
        ("date", "soon"), ("datetime", "soon"), ("integer", True), ("year", 2**40),
        ("integer", "soon"),
    ]:  # fmt: skip
        with pytest.raises(Misfit):
            convert_values(kind, [value], ".")
    assert widen_type("year", [2**40], ".") == "integer"
    assert widen_type("integer", [2**70], ".") == "string"
    assert convert_values("string", [True, 1.5, dt.date(2020, 1, 1), "\ud800"], ".") == [
        "true", "1.5", "2020-01-01", "\ufffd",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "values", "wider"),
    [
        ("year", [2019, None], "year"),
        ("year", [2019.5], "number"),
        ("integer", [1, 2], "integer"),
        ("integer", [1, 1.5], "number"),
        ("integer", [1, "some"], "string"),
        ("number", ["1,5", 2], "number"),
        ("boolean", ["true", None], "boolean"),
        ("boolean", ["maybe"], "string"),
        ("date", [dt.date(2020, 1, 1)], "date"),
        ("date", ["2020-01-01T10:00"], "datetime"),
        ("date", [dt.datetime(2020, 1, 1)], "date"),
        ("datetime", ["soon"], "string"),
        ("string", [1], "string"),
        ("integer", [2**53 + 1, 0.5], "string"),
    ],
)
def test_types_are_widened_step_by_step(kind, values, wider):
    """An integer that a float can't hold makes a column of texts."""
    assert widen_type(kind, values, ",") == wider


def test_missing_marks_are_nulls_in_every_type_but_text():
    """A text keeps its dash."""
    for kind in ("integer", "number", "boolean", "date", "datetime"):
        assert convert_values(kind, ["n/a", None], ".") == [None, None]
    assert convert_values("string", ["n/a", None], ".") == ["n/a", None]


def test_moments_are_in_utc():
    """Parquet has one time zone for a column."""
    assert convert_values("datetime", ["2020-01-01T12:00:00+02:00"], ".") == [
        dt.datetime(2020, 1, 1, 10)
    ]
    assert convert_values("datetime", [dt.date(2020, 1, 1)], ".") == [dt.datetime(2020, 1, 1)]


def test_types_have_names():
    """Unknown ones are texts."""
    assert normalize_type("geopoint") == "string"
    assert normalize_type("year") == "year"
    assert get_dtype("year") == pl.Int32()
    assert convert_values("year", [2**31 - 1], ".") == [2**31 - 1]
