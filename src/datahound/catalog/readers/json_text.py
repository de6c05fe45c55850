"""JSON and NDJSON: lists of records, rows, columns and maps, features of maps, and cubes."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.catalog.readers.cubes import (
    expand_jsonstat,
    expand_sdmx,
    is_jsonstat,
    is_sdmx,
    read_sdmx_title,
)
from datahound.catalog.readers.encoding import read_lines
from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.cells import Value, is_missing, parse_number
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import Grid, TableProfile

# Tables are near the top of a document; deeper lists belong to one record.
_MAX_DEPTH = 6
# Deeper objects are kept as text: each level multiplies the columns.
_MAX_FLATTENED = 3
# Enough items to tell the form of a list; a list may have millions.
_SAMPLED = 200
_MAX_COLUMNS = 1000
_MAX_CODE = 6
# Records of these alone need no flattening, which is most of the time for a large list.
_PLAIN = frozenset({str, int, float, bool, type(None)})
_CUBES = frozenset({"jsonstat", "sdmx"})
_NAMES, _ROWS = ("columns", "fields", "header", "headers"), ("data", "rows", "records", "values")
_GEOMETRY = frozenset({"geometry", "arcs", "coordinates"})
_TITLES = ("title", "label", "name", "titre", "titel", "titulo")


@dataclass(frozen=True, slots=True)
class _Location:
    """Where a table is in nested data, and in which form."""

    pointer: tuple[str | int, ...]
    kind: str
    """records, rows, columns, map, features, split, jsonstat or sdmx."""


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables in JSON, however deep they are nested."""
    data = _load_json(path, task)
    task.title = task.title or _read_title(data)
    for location in _find_locations(data, task.limits.tables):
        try:
            grid = _read_location(data, location)
        except (KeyError, TypeError, AttributeError, ValueError, IndexError):
            task.note(f"{_show_location(location)}: not what it seemed")
            continue
        address = {
            "encoding": task.encoding,
            "pointer": list(location.pointer),
            "kind": location.kind,
        }
        title = _name_table(location, grid)
        named, cube = location.kind != "rows", location.kind in _CUBES
        found = Grid(_show_location(location), address, title, grid, named=named, cube=cube)
        yield from profile_grid(found, task)


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a table in JSON."""
    task = Task(limits, path.parent, encoding=address["encoding"])
    data = _load_json(path, task)
    return iter(_read_location(data, _Location(tuple(address["pointer"]), address["kind"])))


def _name_table(location: _Location, grid: Sequence[Row]) -> str:
    """The label of a cube, or else the key that the table is under."""
    # A cube without a label of its own measures "value", which says nothing.
    if location.kind == "jsonstat" and grid and grid[0][-1] != "value":
        return str(grid[0][-1])
    return next((step for step in location.pointer[::-1] if isinstance(step, str)), "")


def _load_json(path: Path, task: Task) -> Any:
    text = task.read_whole(path).decode(task.encoding or "utf-8", "replace")
    try:
        return json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        raise Unreadable("JSON that is nested too deeply") from None
    except ValueError as error:
        broken = error
    # NDJSON is valid JSON only as long as it has one line.
    if lines := _load_lines(path, task):
        return lines
    raise Unreadable(f"broken JSON: {broken}")


def _load_lines(path: Path, task: Task) -> list[Any]:
    """One JSON value per line; broken lines are left out, unless most are broken."""
    found, broken = [], 0
    for line in read_lines(path, task.encoding or "utf-8"):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            broken += 1
            # Nearly every line is broken: this is not NDJSON, so reading on is a waste.
            if broken > 10 + len(found):
                return []
    if broken and found:
        task.note(f"{broken} broken lines were left out")
    return found if len(found) > 1 else []


def _show_location(location: _Location) -> str:
    steps = ".".join(str(step) for step in location.pointer)
    return f'under "{steps[:100]}"' if steps else "the file"


def _find_locations(data: Any, most: int = 200) -> list[_Location]:
    """The locations of at most `most` tables."""
    return list(_walk_data(data, (), most))[:most]


def _read_location(data: Any, location: _Location) -> Sequence[Row]:
    """The grid of a table; its names are in the first row unless its kind is `rows`."""
    for step in location.pointer:
        data = data[step]
    if location.kind == "rows":
        return [[_to_value(cell) for cell in row] for row in data if isinstance(row, list)]
    makers: dict[str, Callable[[Any], Sequence[Row]]] = {
        "records": _flatten_records,
        "columns": _transpose_columns,
        "map": _flatten_map,
        "features": _flatten_features,
        "split": _join_names,
        "jsonstat": expand_jsonstat,
        "sdmx": expand_sdmx,
    }
    return makers[location.kind](data)


def _read_title(data: Any) -> str:
    """The title in nested data or its metadata; '' if there is none."""
    if isinstance(data, Mapping):
        for name in _TITLES:
            if isinstance(data.get(name), str):
                return str(data[name])[:300]
        if is_sdmx(data):
            return read_sdmx_title(data)
        for name in ("metadata", "meta", "info", "dataset", "data", "view"):
            if isinstance(data.get(name), Mapping) and (found := _read_title(data[name])):
                return found
    return ""


def _walk_data(data: Any, pointer: tuple[str | int, ...], most: int) -> Iterator[_Location]:
    if len(pointer) > _MAX_DEPTH:
        return
    if kind := _detect_kind(data):
        yield _Location(pointer, kind)
        return
    if isinstance(data, Mapping):
        for key in list(data)[:_SAMPLED]:
            yield from _walk_data(data[key], (*pointer, key), most)
    elif isinstance(data, list):
        for number, item in enumerate(data[:_SAMPLED]):
            if isinstance(item, Mapping | list):
                yield from _walk_data(item, (*pointer, number), most)


def _detect_kind(data: Any) -> str:
    if isinstance(data, list) and len(data) > 1:
        head = data[:_SAMPLED]
        # Not all records need all fields: the first may only describe the others.
        if all(isinstance(item, Mapping) for item in head):
            if all(isinstance(i.get("properties"), Mapping) and _GEOMETRY & i.keys() for i in head):
                return "features"
            return "records" if _share_fields(head) else ""
        if all(isinstance(item, list) for item in head):
            flat = all(not isinstance(cell, list | Mapping) for row in head for cell in row)
            wide = sum(1 for row in head if len(row) > 1) > len(head) / 2
            return "rows" if flat and wide else ""
    if isinstance(data, Mapping):
        if is_jsonstat(data):
            return "jsonstat"
        if is_sdmx(data):
            return "sdmx"
        if _split_names(data)[1]:
            return "split"
        values = list(data.values())[:_SAMPLED]
        if len(values) > 1 and all(isinstance(v, list) for v in values):
            lengths = {len(v) for v in data.values() if isinstance(v, list)}
            plain = all(not isinstance(c, list | Mapping) for v in values for c in v[:50])
            return "columns" if len(lengths) == 1 and min(lengths) > 1 and plain else ""
        if len(values) > 2 and all(isinstance(v, Mapping) for v in values):
            return "map" if _share_fields(values) and _are_flat(values) else ""
    return ""


def _share_fields(items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether at least one field is in half of the records, and few fields are rare."""
    names: dict[str, int] = {}
    for item in items:
        for name in item:
            names[name] = names.get(name, 0) + 1
    common = sum(1 for count in names.values() if count >= 0.5 * len(items))
    # Objects keyed by ids or dates share hardly any field: they are not records of one table.
    return common > 0 and len(names) <= 4 * common + 4


def _are_flat(items: Sequence[Mapping[str, Any]]) -> bool:
    return all(not isinstance(v, list | Mapping) for item in items for v in item.values())


def _split_names(data: Mapping[str, Any]) -> tuple[list[str], str]:
    """The column names of an object that has names and rows apart, and the key of the rows."""
    metadata = data.get("meta")
    view = metadata.get("view") if isinstance(metadata, Mapping) else None
    holders = [holder for holder in (data, view) if isinstance(holder, Mapping)]
    for holder in holders:
        for named in map(holder.get, _NAMES):
            if isinstance(named, list) and named:
                names = [_name_column(item) for item in named]
                rows = next((key for key in _ROWS if _has_width(data.get(key), len(names))), "")
                if rows:
                    return names, rows
    return [], ""


def _name_column(item: Any) -> str:
    if not isinstance(item, Mapping):
        return str(item)
    return str(next((item[k] for k in ("text", "label", "name", "title", "id") if k in item), ""))


def _has_width(rows: Any, width: int) -> bool:
    """Whether these are rows with this number of cells."""
    head = rows[:_SAMPLED] if isinstance(rows, list) else []
    return len(head) > 1 and all(len(_read_cells(row)) == width for row in head)


def _read_cells(row: Any) -> list[Any]:
    """The cells of a row, which PxWeb splits into key and values."""
    if isinstance(row, Mapping) and isinstance(row.get("key"), list):
        values = row.get("values")
        return [*row["key"], *(values if isinstance(values, list) else ())]
    return row if isinstance(row, list) else []


def _join_names(data: Mapping[str, Any]) -> Sequence[Row]:
    names, key = _split_names(data)
    return [name_columns(names), *([_to_value(c) for c in _read_cells(r)] for r in data[key])]


def _flatten_features(data: Sequence[Mapping[str, Any]]) -> Sequence[Row]:
    """The properties of features on a map; their shapes are left out."""
    return _flatten_records([item.get("properties") or {} for item in data])


def _expand_series(data: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """One record per observation, where each record is a series with a list of them."""
    lists = Counter(
        name
        for item in data[:_SAMPLED]
        for name, value in item.items()
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value)
    )
    name, count = lists.most_common(1)[0] if lists else ("", 0)
    if count <= len(data[:_SAMPLED]) / 2 or len(lists) > 1:
        yield from data
        return
    for item in data:
        # What is said once per series holds for each of its observations.
        before = {key: value for key, value in item.items() if key != name}
        inner = item.get(name)
        for observation in inner if isinstance(inner, list) else ():
            if isinstance(observation, dict):
                yield before | {k if k not in before else f"{name}.{k}": v
                                for k, v in observation.items()}  # fmt: skip


def _flatten_records(data: Sequence[Mapping[str, Any]]) -> Sequence[Row]:
    flat = [
        item if _PLAIN.issuperset(map(type, item.values())) else _flatten(item)
        for item in _expand_series([item for item in data if isinstance(item, dict)])
    ]
    names: dict[str, None] = {}
    for item in flat:
        # Most records have the fields of those before: the set comparison skips them.
        if not item.keys() <= names.keys() and len(names) < _MAX_COLUMNS:
            names.update(dict.fromkeys(item))
    order = list(names)
    if _names_others(flat):
        order, shown = [*flat[0].values()], order
        return [order, *([*map(i.get, shown)] for i in flat[1:])]
    return [
        order,
        # Equal keys in equal order need no lookups.
        *([*i.values()] if list(i) == order else [*map(i.get, order)] for i in flat),
    ]


def _names_others(records: Sequence[Mapping[str, Value]]) -> bool:
    """Whether the first record has the names of the fields, and their keys are codes.

    It has texts alone, also where all other records have figures.
    """
    first, others = records[0] if records else {}, records[1:_SAMPLED]
    texts = [value for value in first.values() if isinstance(value, str) and value]
    if len(texts) < len(first) or len(set(texts)) < len(texts) or len(others) < 2:
        return False
    if any(len(key) > _MAX_CODE for key in first) or any(map(parse_number, texts)):
        return False
    return any(
        all(
            isinstance(v := record.get(key), str) and (parse_number(v) is not None or is_missing(v))
            for record in others
        )
        for key in first
    )


def _transpose_columns(data: Mapping[str, Sequence[Any]]) -> Sequence[Row]:
    rows = zip(*data.values(), strict=False)
    return [[str(name) for name in data], *([_to_value(cell) for cell in row] for row in rows)]


def _flatten_map(data: Mapping[str, Mapping[str, Any]]) -> Sequence[Row]:
    records = [{"key": key, **_flatten(value)} for key, value in data.items()]
    return _flatten_records(records)


def _flatten(item: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Value]:
    """Flatten nested records: `{"a": {"b": 1}}` becomes `{"a.b": 1}`."""
    found: dict[str, Value] = {}
    for name, value in item.items():
        if isinstance(value, Mapping) and depth < _MAX_FLATTENED:
            found.update(_flatten(value, f"{before}{name}.", depth + 1))
        else:
            found[f"{before}{name}"] = _to_value(value)
    return found


def _to_value(cell: Any) -> Value:
    if cell is None or isinstance(cell, str | int | float | bool):
        return cell
    return str(cell)[:200]
