"""The JSON Schema of the lines that `--json` and `--log` write, made from the classes of events."""

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from datahound.events import ALL_EVENTS
from datahound.model import FileRecord
from datahound.operate.event_log import EVENT_NAMES, Severity
from datahound.report.phrases import Cause

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def make_schema() -> dict[str, Any]:
    """The schema of one line."""
    events = [_describe_event(event.__name__, _describe_class(event))
              for event in sorted(ALL_EVENTS, key=lambda event: event.__name__)]  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event of a crawl",
        "type": "object",
        "properties": {
            "time": {"type": "string", "format": "date-time"},
            "crawl": {"type": "string", "description": "The folder of the crawl."},
            "site": {"type": "string", "description": "The URL where the crawl began."},
            "level": {"enum": [level.value for level in Severity]},
            "event": {"enum": list(EVENT_NAMES)},
        },
        "required": ["time", "crawl", "site", "level", "event"],
        "oneOf": [
            *events,
            _describe_event("File", _describe_file()),
            _describe_event("Ended", _describe_end()),
        ],
    }


def _describe_event(name: str, described: dict[str, Any]) -> dict[str, Any]:
    return {
        **described,
        "properties": {"event": {"const": name}, **described["properties"]},
    }


def _describe_file() -> dict[str, Any]:
    described = _describe_class(FileRecord)
    properties = {"path" if n == "file" else n: d for n, d in described["properties"].items()}
    return {"properties": properties, "required": list(properties)}


def _describe_end() -> dict[str, Any]:
    text = {"type": "string"}
    properties = {
        "cause": _describe_type(Cause), "reason": text, "status": {"type": "integer"}, "hint": text
    }  # fmt: skip
    return {"properties": properties, "required": list(properties)}


def _describe_class(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    shown = fields(kind)
    return {
        "properties": {field.name: _describe_type(hints[field.name]) for field in shown},
        "required": [field.name for field in shown],
    }


def _describe_type(hint: Any) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if is_dataclass(hint) and isinstance(hint, type):
        return {"type": "object", **_describe_class(hint)}
    if get_origin(hint) in (Union, types.UnionType):
        return {"anyOf": [_describe_type(argument) for argument in get_args(hint)]}
    if get_origin(hint) is tuple:
        inner = [argument for argument in get_args(hint) if argument is not ...]
        return {"type": "array", "items": {"anyOf": [_describe_type(one) for one in inner]}}
    return {}
