"""JSON and NDJSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datahound.catalog.readers.encoding import lines_of
from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.records import Place, find_places, grid_at, title_of
from datahound.catalog.readers.task import Task, Unreadable, in_grid
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Found, TableLook


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables in JSON, wherever they are nested."""
    data = _load(path, task)
    task.title = task.title or title_of(data)
    for place in find_places(data, task.limits.tables):
        try:
            grid = grid_at(data, place)
        except (KeyError, TypeError, AttributeError, ValueError, IndexError):
            task.note(f"{_shown(place)}: not what it seemed")
            continue
        address = {"encoding": task.encoding, "pointer": list(place.pointer), "kind": place.kind}
        title = str(place.pointer[-1]) if place.pointer else ""
        named = place.kind != "rows"
        yield from in_grid(Found(_shown(place), address, title, grid, named=named), task)


def rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """The rows of a table in JSON."""
    task = Task(limits, path.parent, encoding=address["encoding"])
    data = _load(path, task)
    return iter(grid_at(data, Place(tuple(address["pointer"]), address["kind"])))


def _load(path: Path, task: Task) -> Any:
    text = task.whole(path).decode(task.encoding or "utf-8", "replace")
    try:
        return json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        raise Unreadable("JSON that is nested too deeply") from None
    except ValueError as error:
        broken = error
    if lines := _lines(path, task):
        return lines
    raise Unreadable(f"broken JSON: {broken}")


def _lines(path: Path, task: Task) -> list[Any]:
    """One JSON value a line; broken lines are left out."""
    found, broken = [], 0
    for line in lines_of(path, task.encoding or "utf-8"):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            broken += 1
            if broken > 10 + len(found):
                return []
    if broken and found:
        task.note(f"{broken} broken lines were left out")
    return found if len(found) > 1 else []


def _shown(place: Place) -> str:
    steps = ".".join(str(step) for step in place.pointer)
    return f'under "{steps[:100]}"' if steps else "the file"
