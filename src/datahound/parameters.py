"""Settings by name: `KEY=VALUE` as a user writes it, and the list of what can be set."""

import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from datahound.errors import UserError
from datahound.settings import Settings, Within

_GROUPS = (
    ("crawl",),
    ("pages",),
    ("strategy", "actions"),
    ("strategy", "bandit"),
    ("strategy", "classifier"),
    ("strategy", "hound"),
)
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One setting: its name, where it lives, its type, what it may be and its default."""

    name: str
    group: tuple[str, ...]
    type: Any
    within: Within
    default: Any


def parameters() -> Iterator[Parameter]:
    """Everything that `--param` can set."""
    defaults = Settings()
    for group in _GROUPS:
        holder = _at(defaults, group)
        types = get_type_hints(type(holder), include_extras=True)
        for field in dataclasses.fields(holder):
            kind, within = _kind_and_bounds(types[field.name])
            if _is_simple(kind):
                default = getattr(holder, field.name)
                yield Parameter(field.name, group, kind, within, default)


def with_parameters(settings: Settings, pairs: Iterable[str]) -> Settings:
    """The settings with `KEY=VALUE` pairs applied; what depends on them follows.

    >>> with_parameters(Settings(), ["min_similarity=0.9"]).strategy.actions.min_similarity
    0.9
    """
    known = {parameter.name: parameter for parameter in parameters()}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        parameter = known.get(name.strip().replace("-", "_"))
        if not equals or parameter is None:
            allowed = ", ".join(known)
            raise UserError(f"unknown parameter {pair!r}: give KEY=VALUE, where KEY is {allowed}")
        value = _parse(parameter, text.strip())
        settings = _replaced(settings, (*parameter.group, parameter.name), value)
    actions = settings.strategy.actions
    if actions.hash_bits < actions.dimension_bits:
        raise UserError(
            f"parameter hash_bits can't be {actions.hash_bits}: it is at least dimension_bits, "
            f"{actions.dimension_bits}"
        )
    if settings.strategy.classifier.features == "context":
        settings = _replaced(settings, ("pages", "surrounding"), True)
    return settings


def _kind_and_bounds(annotation: Any) -> tuple[Any, Within]:
    if get_origin(annotation) is Annotated:
        kind, within = get_args(annotation)
        return kind, within
    return annotation, Within()


def _is_simple(kind: Any) -> bool:
    return get_origin(kind) is Literal or kind in (bool, int, float, int | None)


def _parse(parameter: Parameter, text: str) -> Any:
    kind, within = parameter.type, parameter.within
    try:
        if get_origin(kind) is Literal:
            return {str(choice): choice for choice in get_args(kind)}[text]
        if kind is bool:
            return _WORDS[text.lower()]
        value = int(text) if kind == int | None else kind(text)
        if within.least <= value <= within.most and not math.isinf(value):
            return value
    except (KeyError, ValueError):
        pass
    raise UserError(
        f"parameter {parameter.name} can't be {text!r}: it is {_described(kind, within)}"
    )


def _described(kind: Any, within: Within) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "yes or no"
    number = "a number" if kind is float else "a whole number"
    if math.isinf(within.most):
        return f"{number} of at least {within.least:g}"
    return f"{number} from {within.least:g} to {within.most:g}"


def _at(holder: Any, path: Iterable[str]) -> Any:
    for name in path:
        holder = getattr(holder, name)
    return holder


def _replaced(holder: Any, path: tuple[str, ...], value: Any) -> Any:
    first, *rest = path
    inner = _replaced(getattr(holder, first), tuple(rest), value) if rest else value
    return dataclasses.replace(holder, **{first: inner})
