"""XML: records that come again and again, and SDMX."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, Unreadable, in_grid
from datahound.catalog.tables.cells import Value
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Found, TableLook

_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
_PROLOGUE = 1 << 20
_FEWEST = 3
_MOST_COLUMNS = 1000
_TITLES = ("title", "name", "label")
_OBSERVATION = "Obs"
_SKIPPED = frozenset({"SeriesKey", "ObsKey", "Attributes"})


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables in XML, wherever they are nested."""
    root = _parse(path, task)
    task.title = task.title or _title(root)
    sdmx = _observations(root)
    if sdmx:
        yield from in_grid(
            Found("the observations", {"tag": "", "path": []}, "", sdmx, named=True), task
        )
        return
    for path_, tag in list(_repeated(root, []))[: task.limits.tables]:
        address = {"path": path_, "tag": tag}
        grid = _grid(root, path_, tag)
        found = Found(f"elements <{tag}>", address, tag, grid, named=True)
        yield from in_grid(found, task)


def rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """The rows of a table in XML."""
    root = _parse(path, Task(limits, path.parent))
    if not address["tag"]:
        return iter(_observations(root))
    return iter(_grid(root, address["path"], address["tag"]))


def _parse(path: Path, task: Task) -> ET.Element:
    body = task.whole(path)
    # No document of figures needs entities of its own; those that have them are bombs or spies.
    if _ENTITY.search(body, 0, _PROLOGUE):
        raise Unreadable("XML that declares entities is not read")
    try:
        return ET.fromstring(body)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"broken XML: {error}") from None


def _local(tag: Any) -> str:
    return str(tag).rpartition("}")[2]


def _title(root: ET.Element) -> str:
    for element in list(root)[:20]:
        if _local(element.tag).lower() in _TITLES and element.text and element.text.strip():
            return " ".join(element.text.split())[:300]
    for element in root.iter():
        if _local(element.tag) in ("Name", "Title", "title") and (element.text or "").strip():
            return " ".join(str(element.text).split())[:300]
    return ""


def _repeated(
    element: ET.Element, path: list[int], depth: int = 0
) -> Iterator[tuple[list[int], str]]:
    """Where children of one name, with fields in them, come again and again."""
    counts = Counter(_local(child.tag) for child in element)
    for tag, count in counts.items():
        if count >= _FEWEST:
            children = [child for child in element if _local(child.tag) == tag]
            fields = Counter(name for child in children[:50] for name in _record(child))
            if sum(1 for n in fields.values() if n > 1) >= 2:
                yield path, tag
                return
    if depth < 8:
        for number, child in enumerate(list(element)[:200]):
            yield from _repeated(child, [*path, number], depth + 1)


def _grid(root: ET.Element, path: list[int], tag: str) -> list[Row]:
    for step in path:
        root = root[step]
    records = [_record(child) for child in root if _local(child.tag) == tag]
    names: dict[str, None] = {}
    for record in records:
        if len(names) < _MOST_COLUMNS:
            names.update(dict.fromkeys(record))
    return [list(names), *([record.get(name) for name in names] for record in records)]


def _record(element: ET.Element, before: str = "", depth: int = 0) -> dict[str, Value]:
    """Attributes and texts of an element and of what is in it."""
    found: dict[str, Value] = {f"{before}{_local(k)}": v for k, v in element.attrib.items()}
    for number, child in enumerate(element):
        name = f"{before}{_local(child.tag)}"
        if name in found:
            name = f"{name} {number + 1}"
        text = (child.text or "").strip()
        if text or not (len(child) or child.attrib):
            found[name] = text or None
        if depth < 2 and (len(child) or child.attrib):
            found.update(_record(child, f"{name}.", depth + 1))
    return found


def _observations(root: ET.Element) -> list[Row]:
    """The observations of an SDMX message, generic or structured: a row each."""
    records: list[dict[str, Value]] = []
    for element in root.iter():
        if _local(element.tag) in ("Series", "DataSet", "Group"):
            series = _key(element) if _local(element.tag) == "Series" else {}
            observed = [child for child in element if _local(child.tag) == _OBSERVATION]
            records += [series | _observation(child) for child in observed]
    if len(records) < 2:
        return []
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
    last = sorted(names, key=lambda name: name == "OBS_VALUE")
    return [last, *([record.get(name) for name in last] for record in records)]


def _key(series: ET.Element) -> dict[str, Value]:
    """What all observations of a series share."""
    found: dict[str, Value] = {_local(k): v for k, v in series.attrib.items()}
    for part in series:
        if _local(part.tag) in _SKIPPED:
            found.update(_values(part))
    return found


def _values(part: ET.Element) -> dict[str, Value]:
    pairs = ((v.get("id") or v.get("concept"), v.get("value")) for v in part)
    return {name: value for name, value in pairs if name}


def _observation(element: ET.Element) -> dict[str, Value]:
    found: dict[str, Value] = {_local(k): v for k, v in element.attrib.items()}
    for part in element:
        name = _local(part.tag)
        if name in _SKIPPED:
            found.update(_values(part))
        elif name == "ObsDimension":
            found[part.get("id") or "TIME_PERIOD"] = part.get("value")
        elif name == "Time":
            found["TIME_PERIOD"] = (part.text or "").strip()
        elif name == "ObsValue":
            found["OBS_VALUE"] = part.get("value")
    return found
