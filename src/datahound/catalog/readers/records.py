"""Tables in nested data: lists of records, rows, columns, maps, and JSON-stat."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from datahound.catalog.tables.cells import Value
from datahound.catalog.tables.layout import Row, unique_names

_DEEPEST = 6
_FLATTENED = 3
_LOOKED_AT = 200
_MOST_COLUMNS = 1000
_MOST_STAT_CELLS = 2_000_000
_PLAIN = frozenset({str, int, float, bool, type(None)})
_TITLES = ("title", "label", "name", "titre", "titel", "titulo")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is in nested data, and how it is told there."""

    pointer: tuple[str | int, ...]
    kind: str
    """records, rows, columns, map or jsonstat."""


def find_places(data: Any, most: int = 200) -> list[Place]:
    """Where the tables are."""
    return list(_walk(data, (), most))[:most]


def grid_at(data: Any, place: Place) -> Sequence[Row]:
    """A table with its names in the first row; of kind `rows` as it is."""
    for step in place.pointer:
        data = data[step]
    if place.kind == "rows":
        return [[_value(cell) for cell in row] for row in data if isinstance(row, list)]
    makers: dict[str, Callable[[Any], Sequence[Row]]] = {
        "records": _of_records,
        "columns": _of_columns,
        "map": _of_map,
        "jsonstat": _of_jsonstat,
    }
    return makers[place.kind](data)


def title_of(data: Any) -> str:
    """What nested data calls itself."""
    if isinstance(data, Mapping):
        for name in _TITLES:
            if isinstance(data.get(name), str):
                return str(data[name])[:300]
        for name in ("metadata", "meta", "info", "dataset"):
            if isinstance(data.get(name), Mapping) and (found := title_of(data[name])):
                return found
    return ""


def _walk(data: Any, pointer: tuple[str | int, ...], most: int) -> Iterator[Place]:
    if len(pointer) > _DEEPEST:
        return
    if kind := _kind_of(data):
        yield Place(pointer, kind)
        return
    if isinstance(data, Mapping):
        for key in list(data)[:_LOOKED_AT]:
            yield from _walk(data[key], (*pointer, key), most)
    elif isinstance(data, list):
        for number, item in enumerate(data[:_LOOKED_AT]):
            if isinstance(item, Mapping | list):
                yield from _walk(item, (*pointer, number), most)


def _kind_of(data: Any) -> str:
    if isinstance(data, list) and len(data) > 1:
        head = data[:_LOOKED_AT]
        # A first record that says what the others are may lack most of their fields.
        if all(isinstance(item, Mapping) for item in head):
            return "records" if _share_fields(head) else ""
        if all(isinstance(item, list) for item in head):
            flat = all(not isinstance(cell, list | Mapping) for row in head for cell in row)
            wide = sum(1 for row in head if len(row) > 1) > len(head) / 2
            return "rows" if flat and wide else ""
    if isinstance(data, Mapping):
        if _is_jsonstat(data):
            return "jsonstat"
        values = list(data.values())[:_LOOKED_AT]
        if len(values) > 1 and all(isinstance(v, list) for v in values):
            lengths = {len(v) for v in data.values() if isinstance(v, list)}
            plain = all(not isinstance(c, list | Mapping) for v in values for c in v[:50])
            return "columns" if len(lengths) == 1 and min(lengths) > 1 and plain else ""
        if len(values) > 2 and all(isinstance(v, Mapping) for v in values):
            return "map" if _share_fields(values) and _are_flat(values) else ""
    return ""


def _share_fields(items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether records mostly have the same fields."""
    names: dict[str, int] = {}
    for item in items:
        for name in item:
            names[name] = names.get(name, 0) + 1
    common = sum(1 for count in names.values() if count >= 0.5 * len(items))
    return common > 0 and len(names) <= 4 * common + 4


def _are_flat(items: Sequence[Mapping[str, Any]]) -> bool:
    return all(not isinstance(v, list | Mapping) for item in items for v in item.values())


def _of_records(data: Sequence[Mapping[str, Any]]) -> Sequence[Row]:
    flat = [
        item if _PLAIN.issuperset(map(type, item.values())) else _flat(item)
        for item in data
        if isinstance(item, dict)
    ]
    names: dict[str, None] = {}
    for item in flat:
        if not item.keys() <= names.keys() and len(names) < _MOST_COLUMNS:
            names.update(dict.fromkeys(item))
    order = list(names)
    return [
        order,
        *([*i.values()] if list(i) == order else [*map(i.get, order)] for i in flat),
    ]


def _of_columns(data: Mapping[str, Sequence[Any]]) -> Sequence[Row]:
    rows = zip(*data.values(), strict=False)
    return [[str(name) for name in data], *([_value(cell) for cell in row] for row in rows)]


def _of_map(data: Mapping[str, Mapping[str, Any]]) -> Sequence[Row]:
    records = [{"key": key, **_flat(value)} for key, value in data.items()]
    return _of_records(records)


def _flat(item: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Value]:
    """A record without records inside: `{"a": {"b": 1}}` is `{"a.b": 1}`."""
    found: dict[str, Value] = {}
    for name, value in item.items():
        if isinstance(value, Mapping) and depth < _FLATTENED:
            inner = "" if name == "properties" and "geometry" in item else f"{before}{name}."
            found.update(_flat(value, inner, depth + 1))
        else:
            found[f"{before}{name}"] = _value(value)
    return found


def _value(cell: Any) -> Value:
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    return str(cell)[:200]


def _is_jsonstat(data: Mapping[str, Any]) -> bool:
    dimension = data.get("dimension")
    sizes = data.get("size", dimension.get("size") if isinstance(dimension, Mapping) else None)
    return isinstance(dimension, Mapping) and "value" in data and isinstance(sizes, list)


def _of_jsonstat(data: Mapping[str, Any]) -> Sequence[Row]:
    """A cube of JSON-stat, a row for each cell."""
    dimension = data["dimension"]
    ids = [str(id_) for id_ in data.get("id", dimension.get("id", []))]
    axes = [_categories(dimension.get(id_, {})) for id_ in ids]
    values = data["value"]
    size = 1
    for axis in axes:
        size *= len(axis)
    if not ids or not 0 < size <= _MOST_STAT_CELLS:
        return []
    labels = [str(dimension[id_].get("label") or id_) for id_ in ids]
    rows: list[Row] = [[*unique_names(labels), str(data.get("label") or "value")]]
    for number, combination in enumerate(product(*axes)):
        if isinstance(values, list):
            value = values[number] if number < len(values) else None
        else:
            value = values.get(str(number))
        rows.append([*combination, _value(value)])
    return rows


def _categories(dimension: Mapping[str, Any]) -> list[str]:
    category = dimension.get("category", {})
    index, labels = category.get("index"), category.get("label", {})
    if isinstance(index, Mapping):
        keys = sorted(index, key=lambda key: index[key])
    else:
        keys = list(index or labels)
    return [str(labels.get(key, key)) for key in keys]
