"""The types that columns keep in Parquet: the narrowest that loses nothing."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

import polars as pl

from datahound.catalog.tables.cells import date_of, datetime_of, is_missing, number_of
from datahound.text import replace_surrogates

Values = list[Any]

# From narrow to wide; what does not fit one type is tried with the next.
_WIDER = {
    "year": "integer",
    "integer": "number",
    "number": "string",
    "boolean": "string",
    "date": "datetime",
    "datetime": "string",
}
_DTYPES: dict[str, pl.DataType] = {
    "year": pl.Int32(),
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "boolean": pl.Boolean(),
    "date": pl.Date(),
    "datetime": pl.Datetime("us"),
    "string": pl.String(),
}
_MOST = {"year": 1 << 31, "integer": 1 << 63}
_EXACT = 1 << 53
_NOTHING = type(None)
# Columns that hold nothing else need not be looked at value by value.
_AS_THEY_ARE = {
    "year": frozenset({int, _NOTHING}),
    "integer": frozenset({int, _NOTHING}),
    "boolean": frozenset({bool, _NOTHING}),
    "date": frozenset({date, _NOTHING}),
}
_BOOLEANS = {"true": True, "false": False}


class Misfit(ValueError):
    """A value that a column of its type can't hold."""


def dtype_of(kind: str) -> pl.DataType:
    return _DTYPES[kind]


def known(kind: str) -> str:
    """The name of a type, as far as we know it."""
    return kind if kind in _DTYPES else "string"


def wide_enough(kind: str, values: Iterable[Any], decimal: str) -> str:
    """The narrowest type from this one on that holds the values."""
    values = list(values)
    while kind in _WIDER:
        try:
            convert(kind, values, decimal)
        except Misfit:
            kind = _WIDER[kind]
        else:
            return kind
    return "string"


def convert(kind: str, values: Sequence[Any], decimal: str) -> Values:
    """Values as a column of the type holds them."""
    if set(map(type, values)) <= _AS_THEY_ARE.get(kind, frozenset()) and _in_range(kind, values):
        return list(values)
    return _CONVERSIONS[kind](values, decimal)


def _in_range(kind: str, values: Sequence[Any]) -> bool:
    if kind not in _MOST:
        return True
    limit = _MOST[kind]
    return all(-limit <= value < limit for value in values if value is not None)


def _integers(limit: int) -> Callable[[Sequence[Any], str], Values]:
    def convert(values: Sequence[Any], decimal: str) -> Values:
        return [None if v is None else _integer(v, decimal, limit) for v in values]

    return convert


def _integer(value: Any, decimal: str, limit: int) -> int | None:
    number = _number(value, decimal)
    if number is None:
        return None
    if number != number // 1 or not -limit <= number < limit:
        raise Misfit(value)
    if isinstance(number, float) and abs(number) > _EXACT:
        raise Misfit(value)
    return int(number)


def _floats(values: Sequence[Any], decimal: str) -> Values:
    return [None if v is None else _float(v, decimal) for v in values]


def _float(value: Any, decimal: str) -> float | None:
    if type(value) is float:
        return value if value - value == 0 else None
    number = _number(value, decimal)
    if number is None:
        return None
    if isinstance(number, int) and abs(number) > _EXACT:
        raise Misfit(value)
    return float(number)


def _number(value: Any, decimal: str) -> int | float | None:
    kind = type(value)
    if kind is int or kind is float:
        return value if value == value and abs(value) != float("inf") else None
    if kind is not str:
        raise Misfit(value)
    if is_missing(value):
        return None
    number = number_of(value, decimal)
    if number is None:
        raise Misfit(value)
    return number


def _booleans(values: Sequence[Any], _decimal: str) -> Values:
    return [None if _is_nothing(v) else _boolean(v) for v in values]


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    found = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise Misfit(value)
    return found


def _dates(values: Sequence[Any], _decimal: str) -> Values:
    return [None if _is_nothing(v) else _date(v) for v in values]


def _date(value: Any) -> date:
    if isinstance(value, datetime):
        if value.time() != time():
            raise Misfit(value)
        return value.date()
    found = value if isinstance(value, date) else _said(date_of, value)
    if found is None:
        raise Misfit(value)
    return found


def _moments(values: Sequence[Any], _decimal: str) -> Values:
    return [None if _is_nothing(v) else _moment(v) for v in values]


def _moment(value: Any) -> datetime:
    moment: datetime | None = value if isinstance(value, datetime) else None
    if moment is None:
        day = value if isinstance(value, date) else _said(date_of, value)
        moment = datetime.combine(day, time()) if day else _said(datetime_of, value)
    if moment is None:
        raise Misfit(value)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _said(read: Callable[[str], Any], value: Any) -> Any:
    return read(value) if isinstance(value, str) else None


def _strings(values: Sequence[Any], _decimal: str) -> Values:
    if set(map(type, values)) <= {str, _NOTHING}:
        return [None if v is None else replace_surrogates(v) for v in values]
    return [None if v is None else _string(v) for v in values]


def _string(value: Any) -> str:
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str) and is_missing(value))


_CONVERSIONS: dict[str, Callable[[Sequence[Any], str], Values]] = {
    "year": _integers(_MOST["year"]),
    "integer": _integers(_MOST["integer"]),
    "number": _floats,
    "boolean": _booleans,
    "date": _dates,
    "datetime": _moments,
    "string": _strings,
}
