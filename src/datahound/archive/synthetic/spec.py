"""Synthetic websites by name: `synthetic:demo`, `synthetic:ju?scale=0.1`, `synthetic:?seed=7`."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any
from urllib.parse import parse_qsl

from datahound.archive.synthetic.archive import SyntheticArchive
from datahound.archive.synthetic.presets import preset
from datahound.archive.synthetic.settings import MAX_PAGES, MIN_PAGES, SyntheticSettings
from datahound.errors import UserError

SCHEME = "synthetic:"
_SWITCH = {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}


def open_synthetic(spec: str) -> SyntheticArchive:
    """The website that a spec names: a preset or none, then settings as in a URL's query."""
    return SyntheticArchive(parse_spec(spec), spec)


def parse_spec(spec: str) -> SyntheticSettings:
    """The settings that a spec stands for.

    >>> parse_spec("synthetic:ju?scale=0.1&traps=on").pages
    4176
    """
    if not spec.startswith(SCHEME):
        raise UserError(f"{spec!r} is not a synthetic site: write {SCHEME}NAME?setting=value")
    name, _, query = spec.removeprefix(SCHEME).partition("?")
    given = _given(spec, query)
    settings = preset(name) if name else SyntheticSettings()
    settings = _scaled(settings, given.pop("scale", None), given)
    return replace(settings, **given)


def _given(spec: str, query: str) -> dict[str, Any]:
    parsers = _parsers()
    given = {}
    for key, text in parse_qsl(query, keep_blank_values=True):
        if key not in parsers:
            allowed = ", ".join(parsers)
            raise UserError(f"unknown setting {key!r} in {spec!r}: give one of {allowed}")
        given[key] = parsers[key](key, text)
    return given


def _scaled(
    settings: SyntheticSettings, scale: float | None, given: dict[str, Any]
) -> SyntheticSettings:
    """The settings at another size; targets keep their proportion to pages."""
    if scale is None:
        scale = given.get("pages", settings.pages) / settings.pages
    pages = round(settings.pages * scale)
    if not MIN_PAGES <= pages <= MAX_PAGES:
        allowed = f"{MIN_PAGES:,} to {MAX_PAGES:,}"
        raise UserError(f"{settings.name} would have {pages:,} pages: possible are {allowed}")
    return replace(settings, pages=pages, targets=round(settings.targets * scale))


def _parsers() -> dict[str, Callable[[str, str], Any]]:
    kinds: dict[object, Callable[[str, str], Any]] = {
        int: _whole,
        float: _number,
        bool: _switch,
        str: _text,
        tuple[str, ...]: _list,
    }
    parsers = {field.name: kinds[field.type] for field in fields(SyntheticSettings)}
    del parsers["name"]
    return {"scale": _number, **parsers}


def _whole(key: str, text: str) -> int:
    digits = text.replace("_", "").replace(",", "")
    if not digits.isascii() or not digits.isdigit():
        raise UserError(f"{key}={text!r}: give a whole number")
    return int(digits)


def _number(key: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise UserError(f"{key}={text!r}: give a number, 0 or more")
    return number


def _switch(key: str, text: str) -> bool:
    if text.lower() not in _SWITCH:
        raise UserError(f"{key}={text!r}: give on or off")
    return _SWITCH[text.lower()]


def _text(key: str, text: str) -> str:
    if not text:
        raise UserError(f"{key} is empty")
    return text


def _list(_key: str, text: str) -> tuple[str, ...]:
    return tuple(text.split(","))
