"""Choose Parquet column types: the narrowest that loses nothing."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

import polars as pl

from datahound.catalog.tables.cells import is_missing, parse_date, parse_datetime, parse_number
from datahound.text import replace_surrogates

Values = list[Any]

# The next wider type of each.
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
_LIMITS = {"year": 1 << 31, "integer": 1 << 63}
_MAX_EXACT = 1 << 53
_NONE = type(None)
# Columns of only these Python types need no conversion of each value.
_EXACT_TYPES = {
    "year": frozenset({int, _NONE}),
    "integer": frozenset({int, _NONE}),
    "boolean": frozenset({bool, _NONE}),
    "date": frozenset({date, _NONE}),
}
_BOOLEANS = {"true": True, "false": False}


class Misfit(ValueError):
    """A value that a column type can't hold."""


def get_dtype(kind: str) -> pl.DataType:
    return _DTYPES[kind]


def normalize_type(kind: str) -> str:
    """The name of a type; an unknown one becomes `string`."""
    return kind if kind in _DTYPES else "string"


def widen_type(kind: str, values: Iterable[Any], decimal: str) -> str:
    """The narrowest type, from `kind` on, that holds all values."""
    values = list(values)
    while kind in _WIDER:
        try:
            convert_values(kind, values, decimal)
        except Misfit:
            kind = _WIDER[kind]
        else:
            return kind
    return "string"


def convert_values(kind: str, values: Sequence[Any], decimal: str) -> Values:
    """Convert values to a column type; raises `Misfit` if one does not fit."""
    if set(map(type, values)) <= _EXACT_TYPES.get(kind, frozenset()) and _is_in_range(kind, values):
        return list(values)
    to_type = _CONVERSIONS[kind]
    return [None if value is None else to_type(value, decimal) for value in values]


def _is_in_range(kind: str, values: Sequence[Any]) -> bool:
    if kind not in _LIMITS:
        return True
    limit = _LIMITS[kind]
    return all(-limit <= value < limit for value in values if value is not None)


def _to_year(value: Any, decimal: str) -> int | None:
    return _to_integer(value, decimal, _LIMITS["year"])


def _to_integer(value: Any, decimal: str, limit: int = _LIMITS["integer"]) -> int | None:
    number = _to_number(value, decimal)
    if number is None:
        return None
    if number != number // 1 or not -limit <= number < limit:
        raise Misfit(value)
    # Larger floats skip integers: the text may not be the number.
    if isinstance(number, float) and abs(number) > _MAX_EXACT:
        raise Misfit(value)
    return int(number)


def _to_float(value: Any, decimal: str) -> float | None:
    if type(value) is float:
        return value if value - value == 0 else None
    number = _to_number(value, decimal)
    if number is None:
        return None
    if isinstance(number, int) and abs(number) > _MAX_EXACT:
        raise Misfit(value)
    return float(number)


def _to_number(value: Any, decimal: str) -> int | float | None:
    kind = type(value)
    if kind is int or kind is float:
        return value if value == value and abs(value) != float("inf") else None
    if kind is not str:
        raise Misfit(value)
    if is_missing(value):
        return None
    number = parse_number(value, decimal)
    if number is None:
        raise Misfit(value)
    return number


def _to_boolean(value: Any, _decimal: str) -> bool | None:
    if _is_mark(value):
        return None
    if isinstance(value, bool):
        return value
    found = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise Misfit(value)
    return found


def _to_date(value: Any, _decimal: str) -> date | None:
    if _is_mark(value):
        return None
    if isinstance(value, datetime):
        if value.time() != time():
            raise Misfit(value)
        return value.date()
    found = value if isinstance(value, date) else _parse(parse_date, value)
    if found is None:
        raise Misfit(value)
    return found


def _to_datetime(value: Any, _decimal: str) -> datetime | None:
    if _is_mark(value):
        return None
    moment: datetime | None = value if isinstance(value, datetime) else None
    if moment is None:
        day = value if isinstance(value, date) else _parse(parse_date, value)
        moment = datetime.combine(day, time()) if day else _parse(parse_datetime, value)
    if moment is None:
        raise Misfit(value)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _parse(read: Callable[[str], Any], value: Any) -> Any:
    return read(value) if isinstance(value, str) else None


def _to_string(value: Any, _decimal: str) -> str:
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_mark(value: Any) -> bool:
    return isinstance(value, str) and is_missing(value)


_CONVERSIONS: dict[str, Callable[[Any, str], Any]] = {
    "year": _to_year,
    "integer": _to_integer,
    "number": _to_float,
    "boolean": _to_boolean,
    "date": _to_date,
    "datetime": _to_datetime,
    "string": _to_string,
}
