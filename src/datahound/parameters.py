"""Settings by name: `KEY=VALUE` as a user writes it, and the list of what can be set."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from datahound.errors import UserError
from datahound.settings import Settings

_GROUPS = (
    ("crawl",),
    ("pages",),
    ("strategy", "actions"),
    ("strategy", "bandit"),
    ("strategy", "classifier"),
    ("strategy", "groups"),
    ("strategy", "tokens"),
    ("strategy", "worth"),
)
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One setting: its name, where it lives, its type and its default."""

    name: str
    group: tuple[str, ...]
    type: Any
    default: Any


def parameters() -> Iterator[Parameter]:
    """Everything that `--param` can set."""
    defaults = Settings()
    for group in _GROUPS:
        holder = _at(defaults, group)
        types = get_type_hints(type(holder))
        for field in dataclasses.fields(holder):
            if _is_simple(types[field.name]):
                default = getattr(holder, field.name)
                yield Parameter(field.name, group, types[field.name], default)


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
    if settings.strategy.classifier.features == "context":
        settings = _replaced(settings, ("pages", "surrounding"), True)
    return settings


def _is_simple(kind: Any) -> bool:
    return get_origin(kind) is Literal or kind in (bool, int, float, int | None)


def _parse(parameter: Parameter, text: str) -> Any:
    kind = parameter.type
    try:
        if get_origin(kind) is Literal:
            return {str(choice): choice for choice in get_args(kind)}[text]
        if kind is bool:
            return _WORDS[text.lower()]
        return int(text) if kind == int | None else kind(text)
    except (KeyError, ValueError):
        raise UserError(
            f"parameter {parameter.name} can't be {text!r}: it is {_described(kind)}"
        ) from None


def _described(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "yes or no"
    return "a number" if kind is float else "a whole number"


def _at(holder: Any, path: Iterable[str]) -> Any:
    for name in path:
        holder = getattr(holder, name)
    return holder


def _replaced(holder: Any, path: tuple[str, ...], value: Any) -> Any:
    first, *rest = path
    inner = _replaced(getattr(holder, first), tuple(rest), value) if rest else value
    return dataclasses.replace(holder, **{first: inner})
