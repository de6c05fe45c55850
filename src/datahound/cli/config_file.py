"""The file of options: what may be in it, and one that lists every option with its comment."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from datahound.cli.sites_file import FLAGS, read_text
from datahound.errors import UserError
from datahound.runs.option_values import Option
from datahound.runs.options import OPTIONS

_NEGATED = "no-"
_VARIABLE = "DATAHOUND_"
# Commas are in regular expressions and in headers.
_SEPARATOR = ";"


@dataclass(frozen=True, slots=True)
class CommandKey:
    """An option of `datahound crawl` that is about all of its sites together."""

    kind: type | tuple[type, ...]
    help: str
    example: object


COMMAND_KEYS: Mapping[str, CommandKey] = {
    "urls": CommandKey(list, "Where to start; or `url` for one site.", ["https://www.example.org"]),
    "sites": CommandKey(str, "A file of sites: text, CSV or TOML.", "sites.csv"),
    "at-once": CommandKey(int, "Sites crawled at the same time; 50 by default.", 50),
    "catalog": CommandKey(bool, "Whether to look into the files at the end.", True),
    "metrics-file": CommandKey(str, "Keep figures for Prometheus here.", "datahound.prom"),
    "log": CommandKey(str, "Keep events here, one JSON object per line.", "datahound.jsonl"),
    "events": CommandKey(str, "Which events: files, errors or all, with commas.", "files,errors"),
    "refresh": CommandKey(
        (bool, float),
        "Where a crawl has ended, look for what is new: true, or a share of known pages.",
        0.1,
    ),
    "json": CommandKey(bool, "Print events instead of a display.", False),
    "plain": CommandKey(bool, "Print lines of words only.", True),
}
"""What else a file of options can have."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a file of options and the environment say."""

    options: dict[str, Any]
    """Options of crawls, as `make_options` reads them."""
    command: dict[str, Any]
    """Options of the command, by their names in `COMMAND_KEYS`."""


def read_config(path: Path) -> Config:
    """Options from a TOML file, under the names that they have on the command line.

    A negated option such as `no-subdomains` may be given as `subdomains = false`.
    """
    try:
        found = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: is not TOML: {error}") from None
    options: dict[str, Any] = {}
    command: dict[str, Any] = {}
    for name, value in found.items():
        written = name.replace("_", "-")
        plain = written.removeprefix(_NEGATED)
        meant = not value if plain != written and isinstance(value, bool) else value
        if plain == "url":
            command["urls"] = [meant]
        elif plain in COMMAND_KEYS:
            command[plain] = _check_kind(path, plain, meant)
        else:
            options[plain] = _check_option(path, name, plain, meant)
    return Config(options, command)


def _check_option(path: Path, written: str, name: str, value: object) -> object:
    option = OPTIONS.get(name.replace("-", "_"))
    if option is None:
        near = get_close_matches(name, [*COMMAND_KEYS, *(o.written for o in OPTIONS.values())], 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"{path}: unknown option {written!r}{hint}")
    try:
        option.read(name, value)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    return value


def _check_kind(path: Path, name: str, value: object) -> object:
    kind = COMMAND_KEYS[name].kind
    if kind is list and isinstance(value, str):
        return [value]
    # In Python, True is an int.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UserError(f"{path}: {name}: {value!r} can't be used here")
    return value


def read_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    """Options from variables such as `DATAHOUND_BUDGET`; lists are separated by semicolons.

    >>> read_environment({"DATAHOUND_MAX_BYTES": "2GB", "DATAHOUND_LIST_ONLY": "yes", "HOME": "/"})
    {'list-only': True, 'max-bytes': '2GB'}
    """
    options: dict[str, Any] = {}
    for option in sorted(OPTIONS.values(), key=lambda option: option.name):
        text = variables.get(f"{_VARIABLE}{option.name.upper()}")
        if text:
            options[option.written] = _read_variable(option, text)
    return options


def _read_variable(option: Option, text: str) -> object:
    value = _split_variable(option, text)
    try:
        option.read(option.written, value)
    except UserError as error:
        reason = str(error).partition(": ")[2]
        raise UserError(f"{_VARIABLE}{option.name.upper()}: {reason}") from None
    return value


def _split_variable(option: Option, text: str) -> object:
    if option.form == "flag":
        return FLAGS.get(text.lower(), text)
    return text.split(_SEPARATOR) if option.form == "list" else text


def list_unknown_variables(variables: Mapping[str, str]) -> list[str]:
    """The variables that look like options and are none."""
    # TOKEN is that of `datahound serve`.
    known = {f"{_VARIABLE}{name.upper()}" for name in OPTIONS} | {f"{_VARIABLE}TOKEN"}
    return sorted(v for v in variables if v.startswith(_VARIABLE) and v not in known)


def write_example() -> str:
    """A TOML file that lists every option, each commented out, with its default or an example."""
    lines = [
        "# Options of `datahound crawl --config FILE`. Remove the # before those that you want.",
        "# What is given on the command line or in a variable such as DATAHOUND_BUDGET wins.",
        "",
    ]
    for name, key in COMMAND_KEYS.items():
        lines += [f"# {key.help}", f"#{name} = {_write_value(key.example)}", ""]
    for option in OPTIONS.values():
        if option.name != "output":
            lines += _write_option(option)
    lines += [
        "# The folder to crawl into; with several sites, the folder of their folders.",
        '#output = "crawls"',
    ]
    return "\n".join(lines) + "\n"


def _write_option(option: Option) -> list[str]:
    example = option.default if option.default not in (None, "", (), {}) else _invent(option)
    mark = "#" if example is not None else "# "
    value = _write_value(example) if example is not None else '"..."'
    return [f"# {option.help}".rstrip(), f"{mark}{option.written} = {value}", ""]


def _invent(option: Option) -> object:
    """An example of an option without a default; None where one would have to be of the user's."""
    examples: dict[str, object] = {
        "target": ["tables"], "budget": 5000, "max_bytes": "2GB", "max_time": "8h",
        "max_file_size": "500MB", "include": ["/data/"], "exclude": ["/archive/"],
        "allow_host": ["files.example.org"], "scope": "/statistics/",
        "contact": "you@example.org", "user_agent": "Example/1.0", "header": ["X-Name: value"],
        "proxy": "http://proxy.example.org:3128", "connect_to": "127.0.0.1:8000",
        "set": ["web.idle_seconds=10"],
    }  # fmt: skip
    return examples.get(option.name)


def _write_value(value: object) -> str:
    # JSON writes texts, numbers, flags and lists of them as TOML does.
    return json.dumps(value)
