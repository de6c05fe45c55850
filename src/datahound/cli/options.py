"""The table of options as parameters of commands."""

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import typer

from datahound.runs.options import OPTIONS, Option

_Command = TypeVar("_Command", bound=Callable[..., None])
_TYPES: dict[str, Any] = {"text": str | None, "list": list[str] | None, "flag": bool | None}


def take_options(names: Iterable[str], *, after: str) -> Callable[[_Command], _Command]:
    """Give a command these options behind one of its own; it gets them in `**given`."""
    added = [_make_parameter(OPTIONS[name]) for name in names]

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


def _make_parameter(option: Option) -> inspect.Parameter:
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
