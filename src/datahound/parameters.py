"""Settings by name: `NAME=VALUE` as a user writes it, and the list of what can be set."""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from datahound.errors import UserError
from datahound.settings import Settings, Within

_REPLAYED = (
    ("crawl",),
    ("pages",),
    ("strategy",),
    ("strategy", "actions"),
    ("strategy", "bandit"),
    ("strategy", "classifier"),
    ("strategy", "hound"),
    ("strategy", "tp_off"),
    ("strategy", "tres"),
)
# A live crawl takes the number of fetches in flight from its hosts and `--concurrency`.
_NOT_LIVE = ("crawl.in_flight",)
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One setting: its name, its group in `Settings`, its type, its bounds and its default."""

    name: str
    group: tuple[str, ...]
    type: Any
    within: Within
    default: Any

    @property
    def path(self) -> str:
        """The full name, such as `strategy.hound.credit`."""
        return ".".join((*self.group, self.name))


def parameters() -> Iterator[Parameter]:
    """List the settings that a replay can set."""
    return (parameter for parameter in _walk(Settings) if parameter.group in _REPLAYED)


@cache
def live_parameters() -> tuple[Parameter, ...]:
    """List the settings that a live crawl can set."""
    return tuple(parameter for parameter in _walk(Settings) if parameter.path not in _NOT_LIVE)


def with_parameters(settings: Settings, pairs: Iterable[str]) -> Settings:
    """Return settings of a replay with `NAME=VALUE` pairs applied.

    >>> with_parameters(Settings(), ["min_similarity=0.9"]).strategy.actions.min_similarity
    0.9
    """
    return apply_values(settings, parse_pairs(pairs, parameters()))


def parse_pairs(pairs: Iterable[str], known: Iterable[Parameter]) -> dict[str, Any]:
    """Parse `NAME=VALUE` pairs into values by full name; the last of two for one setting counts.

    >>> parse_pairs(["hound.credit=0.3", "idle-seconds=10"], live_parameters())
    {'strategy.hound.credit': 0.3, 'web.idle_seconds': 10.0}
    """
    listed = list(known)
    values = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        found = _find(name.strip().replace("-", "_"), listed)
        if not equals or not found:
            raise UserError(f"unknown parameter {pair!r}: {_advise(name, listed)}")
        # Several groups may have a setting of one name.
        if len(found) > 1:
            several = " or ".join(parameter.path for parameter in found)
            raise UserError(f"parameter {name.strip()} is in several groups: give {several}")
        values[found[0].path] = _parse(found[0], text.strip())
    return values


def apply_values(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return settings with values applied by full name; settings that depend on them follow."""
    for path, value in values.items():
        settings = replace_setting(settings, path, value)
    actions = settings.strategy.actions
    # Checked for all values together: either may have been set first.
    if actions.hash_bits < actions.dimension_bits:
        raise UserError(
            f"parameter hash_bits can't be {actions.hash_bits}: it is at least dimension_bits, "
            f"{actions.dimension_bits}"
        )
    if settings.strategy.classifier.features == "context":
        settings = replace_setting(settings, "pages.surrounding", True)
    return settings


def read_setting(settings: Settings, path: str) -> Any:
    """Return the value of a setting by its full name."""
    value: Any = settings
    for name in path.split("."):
        value = getattr(value, name)
    return value


def replace_setting(settings: Settings, path: str, value: Any) -> Settings:
    """Return settings with one value replaced; a group that is None begins with its defaults."""
    replaced: Settings = _replace(settings, path.split("."), value)
    return replaced


def _walk(holder: type, group: tuple[str, ...] = ()) -> Iterator[Parameter]:
    """List the simple settings of a dataclass, and of those inside it."""
    defaults = holder()
    types = get_type_hints(holder, include_extras=True)
    for field in dataclasses.fields(holder):
        kind, within = _split_annotation(types[field.name])
        inner = _group_type(kind)
        if inner is not None:
            yield from _walk(inner, (*group, field.name))
        elif _is_simple(kind):
            yield Parameter(field.name, group, kind, within, getattr(defaults, field.name))


def _split_annotation(annotation: Any) -> tuple[Any, Within]:
    if get_origin(annotation) is Annotated:
        kind, within = get_args(annotation)
        return kind, within
    return annotation, Within()


def _group_type(kind: Any) -> type | None:
    """Return the dataclass that a field holds, also where it may be None."""
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    found = [one for one in kinds if one is not NoneType and dataclasses.is_dataclass(one)]
    return found[0] if found and isinstance(found[0], type) else None


def _is_simple(kind: Any) -> bool:
    return get_origin(kind) is Literal or kind in (bool, int, float, int | None, bool | None)


def _find(name: str, known: list[Parameter]) -> list[Parameter]:
    return [p for p in known if p.path == name or p.path.endswith(f".{name}")]


def _shortest_names(known: list[Parameter]) -> Iterator[str]:
    for parameter in known:
        yield parameter.name if len(_find(parameter.name, known)) == 1 else parameter.path


def _advise(name: str, known: list[Parameter]) -> str:
    """Say which names are meant: those alike, or all where none is."""
    allowed = list(_shortest_names(known))
    wanted = name.strip().replace("-", "_").rpartition(".")[2]
    alike = [one for one in allowed if wanted and wanted in one]
    # Parts of names first: `get_close_matches` finds typing errors, not abbreviations.
    alike = alike or get_close_matches(wanted, allowed)
    if alike and wanted not in allowed:
        return f"did you mean {' or '.join(alike[:3])}? Give KEY=VALUE"
    return f"give KEY=VALUE, where KEY is {', '.join(allowed)}"


def _parse(parameter: Parameter, text: str) -> Any:
    kind, within = parameter.type, parameter.within
    try:
        if get_origin(kind) is Literal:
            return {str(choice): choice for choice in get_args(kind)}[text]
        if kind == bool | None and text == "auto":
            return None
        if kind in (bool, bool | None):
            return _WORDS[text.lower()]
        value = int(text) if kind == int | None else kind(text)
        # A NaN fails both comparisons.
        if within.least <= value <= within.most and not math.isinf(value):
            return value
    except (KeyError, ValueError):
        pass
    raise UserError(
        f"parameter {parameter.name} can't be {text!r}: it is {describe_values(kind, within)}"
    )


def describe_values(kind: Any, within: Within) -> str:
    """Say in words what a setting of this type may be."""
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "yes or no"
    if kind == bool | None:
        return "yes, no or auto"
    number = "a number" if kind is float else "a whole number"
    if math.isinf(within.most):
        return f"{number} of at least {within.least:g}"
    return f"{number} from {within.least:g} to {within.most:g}"


def _replace(holder: Any, path: list[str], value: Any) -> Any:
    first, *rest = path
    if rest:
        inner = getattr(holder, first)
        if inner is None:
            group = _group_type(get_type_hints(type(holder))[first])
            inner = group() if group else None
        value = _replace(inner, rest, value)
    if getattr(holder, first) is value:
        return holder  # most options keep their defaults, and copies took 2 ms per crawl
    return dataclasses.replace(holder, **{first: value})
