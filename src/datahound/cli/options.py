"""Options of a command: from its command line, a file of sites, a configuration file."""

import inspect
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from datahound.errors import UserError
from datahound.runs.options import OPTIONS, Options, is_flag, make_options, merge_given

_Command = TypeVar("_Command", bound=Callable[..., None])
_TYPES: dict[str, Any] = {"text": str | None, "list": list[str] | None, "flag": bool | None}


def take_options(names: Iterable[str], *, after: str) -> Callable[[_Command], _Command]:
    """Give a command these options behind one of its own; it gets them in `**given`."""
    added = [_make_parameter(name) for name in names]

    def change(command: _Command) -> _Command:
        signature = inspect.signature(command)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        place = [p.name for p in own].index(after) + 1
        parameters = [*own[:place], *added, *own[place:]]
        # Typer reads the parameters of a command from its signature.
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return change


def list_commanded() -> list[str]:
    """List the options that a command line can have."""
    return [option.name for option in OPTIONS.values() if option.command is not None]


def read_given(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, as `make_options` reads them."""
    found = {}
    for name, value in given.items():
        option = OPTIONS[name]
        if value not in (None, []):
            # The only form of some flags is the negated one, such as `--no-subdomains`.
            negated = option.command == f"--no-{option.written}"
            found[option.written] = not value if negated else value
    return found


def _make_parameter(name: str) -> inspect.Parameter:
    option = OPTIONS[name]
    written = option.command or f"--{option.written}"
    shown = typer.Option(
        written, help=option.help or None, metavar=option.metavar, rich_help_panel=option.panel
    )
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[_TYPES[option.form], shown],
    )


_NEGATED = "no-"


def read_sites(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """URLs, one a line, each with the options that follow it; `#` begins a comment."""
    sites = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                sites.append((words[0], parse_words(words[1:])))
        except (ValueError, UserError) as error:
            raise UserError(f"{path}, line {number}: {error}") from None
    return sites


def read_config(path: Path) -> dict[str, Any]:
    """Options from a TOML file, under the names that they have on the command line.

    A negated option such as `no-subdomains` may be given as `subdomains = false`.
    """
    try:
        found = tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: is not TOML: {error}") from None
    options: dict[str, Any] = {}
    for name, value in found.items():
        plain = name.replace("_", "-").removeprefix(_NEGATED)
        negated = plain != name.replace("_", "-")
        options[plain] = not value if negated and isinstance(value, bool) else value
    return options


def parse_words(words: list[str]) -> dict[str, Any]:
    """Options as on a command line.

    >>> parse_words(["--budget", "50", "--target=csv", "--target", "pdf", "--no-early-stop"])
    {'budget': '50', 'target': ['csv', 'pdf'], 'early-stop': False}
    """
    options: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            raise UserError(f"{word!r} is not an option")
        name, equals, value = word[2:].partition("=")
        plain = name.removeprefix(_NEGATED)
        if is_flag(plain) and not equals:
            options[plain] = name == plain
            continue
        given = value if equals else next(rest, None)
        if given is None:
            raise UserError(f"{word} needs a value")
        options[name] = _joined(options.get(name), given)
    return options


def plan(
    sites: Iterable[tuple[str, Mapping[str, Any]]], common: Mapping[str, Any]
) -> list[Options]:
    """The crawls that were asked for; each in a folder of its own."""
    listed = list(sites)
    parent = common.get("output") if len(listed) > 1 else None
    planned = []
    for url, own in listed:
        given = merge_given(common, own)
        if parent is not None and "output" not in own:
            given.pop("output")
            name = make_options(url, given).output
            given["output"] = str(Path(str(parent)) / name)
        planned.append(make_options(url, given))
    _refuse_shared_folders(planned)
    return planned


def _refuse_shared_folders(planned: list[Options]) -> None:
    seen: dict[Path, str] = {}
    for options in planned:
        place = options.output.absolute()
        if place in seen:
            raise UserError(
                f"{seen[place]} and {options.url} would share the folder {options.output}: "
                "give one of them another --output"
            )
        seen[place] = options.url


def _joined(before: Any, value: str) -> Any:
    if before is None:
        return value
    return [*(before if isinstance(before, list) else [before]), value]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise UserError(f"{path}: can't be read: {reason}") from None
