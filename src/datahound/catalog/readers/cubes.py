"""Cubes in JSON: JSON-stat and SDMX-JSON, as one row per cell or observation."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Any

from datahound.catalog.tables.cells import Value
from datahound.catalog.tables.layout import Row, name_columns

_MAX_CELLS = 2_000_000
_MAX_TEXT = 200
_TIME = ("TIME_PERIOD", "TIME")


def is_jsonstat(data: Mapping[str, Any]) -> bool:
    """Whether an object is a JSON-stat dataset."""
    dimension = data.get("dimension")
    sizes = data.get("size", dimension.get("size") if isinstance(dimension, Mapping) else None)
    return isinstance(dimension, Mapping) and "value" in data and isinstance(sizes, list)


def is_sdmx(data: Mapping[str, Any]) -> bool:
    """Whether an object holds the data sets and the structure of an SDMX-JSON message."""
    sets = data.get("dataSets")
    return isinstance(sets, list) and bool(sets) and bool(_list_structures(data))


def expand_jsonstat(data: Mapping[str, Any]) -> Sequence[Row]:
    """The names, then one row per cell of a JSON-stat cube."""
    dimension = data["dimension"]
    ids = [str(id_) for id_ in data.get("id", dimension.get("id", []))]
    axes = [_read_categories(dimension.get(id_, {})) for id_ in ids]
    values = data["value"]
    # A few bytes of sizes can declare billions of cells.
    if not ids or not 0 < prod(map(len, axes)) <= _MAX_CELLS:
        return []
    labels = [str(dimension[id_].get("label") or id_) for id_ in ids]
    rows: list[Row] = [[*name_columns(labels), str(data.get("label") or "value")]]
    for number, combination in enumerate(product(*axes)):
        if isinstance(values, list):
            # JSON-stat allows a list in row-major order, or an object of the cells that are not
            # empty.
            value = values[number] if number < len(values) else None
        else:
            value = values.get(str(number))
        rows.append([*combination, _to_value(value)])
    return rows


def expand_sdmx(data: Mapping[str, Any]) -> Sequence[Row]:
    """The names, then one row per observation of an SDMX-JSON message."""
    dimensions = _list_structures(data)[0]["dimensions"]
    series = _read_dimensions(dimensions.get("series"))
    observed = _read_dimensions(dimensions.get("observation"))
    constant = [
        (name, values[0])
        for name, values in _read_dimensions(dimensions.get("dataSet"))
        if len(values) == 1
    ]
    names = [name for name, _ in (*constant, *series, *observed)]
    before = [value for _, value in constant]
    found = _list_observations(data["dataSets"], [v for _, v in series], [v for _, v in observed])
    rows = [[*before, *key, value] for key, value in islice(found, _MAX_CELLS)]
    return [name_columns([*names, "OBS_VALUE"]), *rows]


def read_sdmx_title(data: Mapping[str, Any]) -> str:
    """The name of the structure, which describes the data flow."""
    structure = _list_structures(data)[0]
    return _pick_name(structure) or str(structure.get("description") or "")


def _list_structures(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Version 1 has one structure, version 2 a list."""
    found = data.get("structures") or [data.get("structure")]
    return [
        s
        for s in (found if isinstance(found, list) else [])
        if isinstance(s, Mapping) and isinstance(s.get("dimensions"), Mapping)
    ]


def _read_dimensions(found: Any) -> list[tuple[str, list[str]]]:
    """The name and the values of each dimension."""
    return [
        (_pick_name(d) or str(d.get("id", "")), [_show_value(d, v) for v in d.get("values", [])])
        for d in (found if isinstance(found, list) else [])
        if isinstance(d, Mapping)
    ]


def _pick_name(item: Mapping[str, Any]) -> str:
    name = item.get("name")
    # Version 1.0 of some servers has a map from languages to names.
    if isinstance(name, Mapping):
        name = next(iter(name.values()), "")
    return " ".join(str(name or "").split())[:300]


def _show_value(dimension: Mapping[str, Any], value: Any) -> str:
    if not isinstance(value, Mapping):
        return "" if value is None else str(value)[:_MAX_TEXT]
    # The names of periods depend on the language: "Jan-2020".
    code = str(value.get("id") or value.get("value") or "")
    if dimension.get("id") in _TIME and code:
        return code[:_MAX_TEXT]
    return (_pick_name(value) or code)[:_MAX_TEXT]


def _list_observations(
    sets: Sequence[Any], series: list[list[str]], observed: list[list[str]]
) -> Iterator[tuple[list[str | None], Value]]:
    for data in sets:
        if not isinstance(data, Mapping):
            continue
        groups = data.get("series")
        if isinstance(groups, Mapping):
            for key, group in groups.items():
                before = _look_up(key, series)
                for place, values in (group.get("observations") or {}).items():
                    yield before + _look_up(place, observed), _read_value(values)
        elif isinstance(flat := data.get("observations"), Mapping):
            for place, values in flat.items():
                yield _look_up(place, observed), _read_value(values)


def _look_up(key: str, axes: list[list[str]]) -> list[str | None]:
    """The values at the positions that a key such as "0:3:1" lists."""
    found: list[str | None] = []
    steps = key.split(":")
    for number, axis in enumerate(axes):
        step = steps[number] if number < len(steps) else ""
        # A place beyond the axis gives None: a broken key must not end the whole table.
        place = int(step) if step.isdecimal() and len(step) < 9 else len(axis)
        found.append(axis[place] if place < len(axis) else None)
    return found


def _read_value(values: Any) -> Value:
    first = values[0] if isinstance(values, list) and values else values
    return _to_value(first) if not isinstance(first, list | Mapping) else None


def _read_categories(dimension: Mapping[str, Any]) -> list[str]:
    category = dimension.get("category", {})
    index, labels = category.get("index"), category.get("label", {})
    if isinstance(index, Mapping):
        keys = sorted(index, key=lambda key: index[key])
    else:
        keys = list(index or labels)
    return [str(labels.get(key, key)) for key in keys]


def _to_value(cell: Any) -> Value:
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    return str(cell)[:_MAX_TEXT]
