"""XML: repeated elements as records, and SDMX messages."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.cells import Value
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Grid, TableProfile

_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
# Entities are declared before the first element.
_PROLOGUE = 1 << 20
# Two elements of one name are often a pair, such as two titles.
_MIN_RECORDS = 3
_MAX_COLUMNS = 1000
_TITLES = ("title", "name", "label")
_NAME_ATTRIBUTES = ("name", "id", "concept")
_PARTIES = ("Sender", "Receiver", "Contact")
_OBSERVATION = "Obs"
_SKIPPED = frozenset({"SeriesKey", "ObsKey", "Attributes"})


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the observations of an SDMX message, or else every group of repeated elements."""
    root = parse_xml(path, task)
    task.title = task.title or _read_title(root)
    sdmx = _read_observations(root)
    if sdmx:
        address: dict[str, Any] = {"tag": "", "path": []}
        grid = Grid("the observations", address, "", sdmx, named=True, cube=True)
        yield from profile_grid(grid, task)
        return
    for path_, tag in list(_find_repeated(root, []))[: task.limits.tables]:
        address = {"path": path_, "tag": tag}
        records = _read_records(root, path_, tag)
        found = Grid(f"elements <{tag}>", address, tag, records, named=True)
        yield from profile_grid(found, task)


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a table in XML."""
    root = parse_xml(path, Task(limits, path.parent))
    if not address["tag"]:
        return iter(_read_observations(root))
    return iter(_read_records(root, address["path"], address["tag"]))


def parse_xml(path: Path, task: Task) -> ET.Element:
    body = task.read_whole(path)
    # Data needs no entities of its own: they are for expansion bombs and for reading local files.
    if _ENTITY.search(body, 0, _PROLOGUE):
        raise Unreadable("XML that declares entities is not read")
    try:
        return ET.fromstring(body)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"broken XML: {error}") from None


def _local_name(tag: Any) -> str:
    return str(tag).rpartition("}")[2]


def _read_title(root: ET.Element) -> str:
    for element in list(root)[:20]:
        if _local_name(element.tag).lower() in _TITLES and element.text and element.text.strip():
            return " ".join(element.text.split())[:300]
    parties = {
        name
        for element in root.iter()
        if _local_name(element.tag) in _PARTIES
        for name in element.iter()
    }
    for element in root.iter():
        named = _local_name(element.tag) in ("Name", "Title", "title") and element not in parties
        if named and (element.text or "").strip():
            return " ".join(str(element.text).split())[:300]
    return ""


def _find_repeated(
    element: ET.Element, path: list[int], depth: int = 0
) -> Iterator[tuple[list[int], str]]:
    """The paths and tags of repeated child elements that share at least two fields."""
    counts = Counter(_local_name(child.tag) for child in element)
    for tag, count in counts.items():
        if count >= _MIN_RECORDS:
            children = [child for child in element if _local_name(child.tag) == tag]
            fields = Counter(name for child in children[:50] for name in _read_record(child))
            if sum(1 for n in fields.values() if n > 1) >= 2:
                # What is inside a record is part of it, not a table of its own.
                yield path, tag
                return
    # Tables lie near the root; a hostile file may nest without end.
    if depth < 8:
        for number, child in enumerate(list(element)[:200]):
            yield from _find_repeated(child, [*path, number], depth + 1)


def _read_records(root: ET.Element, path: list[int], tag: str) -> list[Row]:
    for step in path:
        root = root[step]
    records = [_read_record(child) for child in root if _local_name(child.tag) == tag]
    names: dict[str, None] = {}
    for record in records:
        if len(names) < _MAX_COLUMNS:
            names.update(dict.fromkeys(record))
    return [list(names), *([record.get(name) for name in names] for record in records)]


def _read_record(
    element: ET.Element, before: str = "", depth: int = 0, used: str = ""
) -> dict[str, Value]:
    """Attributes and texts of an element and its descendants, by dotted name."""
    found: dict[str, Value] = {
        f"{before}{_local_name(k)}": v for k, v in element.attrib.items() if k != used
    }
    named, attribute = _find_names(element)
    for number, child in enumerate(element):
        name = f"{before}{named.get(number) or _local_name(child.tag)}"
        if name in found:
            # Repeated children get columns of their own.
            name = f"{name} {number + 1}"
        text = (child.text or "").strip()
        if text or not (len(child) or child.attrib):
            found[name] = text or None
        if depth < 2 and (len(child) or child.attrib):
            found.update(_read_record(child, f"{name}.", depth + 1, attribute))
    return found


def _find_names(element: ET.Element) -> tuple[dict[int, str], str]:
    """The names of children that all have one tag, and the attribute that holds them."""
    children = list(element)[:_MAX_COLUMNS]
    if len({child.tag for child in children}) != 1 or len(children) < 2:
        return {}, ""
    for attribute in _NAME_ATTRIBUTES:
        names = [child.attrib.get(attribute, "") for child in children]
        if all(names) and len(set(names)) == len(names):
            return dict(enumerate(names)), attribute
    return {}, ""


def _read_observations(root: ET.Element) -> list[Row]:
    """The observations of an SDMX message, generic or structured, as one row each."""
    records: list[dict[str, Value]] = []
    for element in root.iter():
        if _local_name(element.tag) in ("Series", "DataSet", "Group"):
            series = _read_key(element) if _local_name(element.tag) == "Series" else {}
            observed = [child for child in element if _local_name(child.tag) == _OBSERVATION]
            records += [series | _read_observation(child) for child in observed]
    if len(records) < 2:
        return []
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
    # The value last, as in tables that people write.
    last = sorted(names, key=lambda name: name == "OBS_VALUE")
    return [last, *([record.get(name) for name in last] for record in records)]


def _read_key(series: ET.Element) -> dict[str, Value]:
    """The key values that all observations of a series share."""
    found: dict[str, Value] = {_local_name(k): v for k, v in series.attrib.items()}
    for part in series:
        if _local_name(part.tag) in _SKIPPED:
            found.update(_read_values(part))
    return found


def _read_values(part: ET.Element) -> dict[str, Value]:
    pairs = ((v.get("id") or v.get("concept"), v.get("value")) for v in part)
    return {name: value for name, value in pairs if name}


def _read_observation(element: ET.Element) -> dict[str, Value]:
    found: dict[str, Value] = {_local_name(k): v for k, v in element.attrib.items()}
    for part in element:
        name = _local_name(part.tag)
        if name in _SKIPPED:
            found.update(_read_values(part))
        elif name == "ObsDimension":
            found[part.get("id") or "TIME_PERIOD"] = part.get("value")
        elif name == "Time":
            found["TIME_PERIOD"] = (part.text or "").strip()
        elif name == "ObsValue":
            found["OBS_VALUE"] = part.get("value")
    return found
