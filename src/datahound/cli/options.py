"""Options of a command: from its command line, a file of sites, a configuration file."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from datahound.cli.sites_file import SiteLine
from datahound.errors import UserError
from datahound.remote.objects import join_place
from datahound.runs.option_values import merge_given
from datahound.runs.options import OPTIONS, Options, make_options
from datahound.units import show_count

BudgetOption = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Requests at most, for each site.")
]
ShareOption = Annotated[
    float | None,
    typer.Option(
        metavar="S", help="Requests at most, as a share of the known pages and files: 0.1."
    ),
]
UntilEmptyFlag = Annotated[
    bool, typer.Option("--until-empty", help="End a site when little more is expected.")
]
PortOption = Annotated[int, typer.Option(help="0 for any free port.")]
HostOption = Annotated[
    str, typer.Option(help="The address to serve on; any but this machine's own needs a token.")
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        help="The secret that browsers must send; generated if it is needed and not given.",
        envvar="DATAHOUND_TOKEN",
    ),
]

_SHOWN_MISTAKES = 5
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


def plan(sites: Iterable[SiteLine], common: Mapping[str, Any]) -> list[Options]:
    """The crawls that were asked for, each in a folder of its own; all are checked first."""
    listed = list(sites)
    parent = common.get("output") if len(listed) > 1 else None
    planned, mistakes = [], []
    for site in listed:
        try:
            planned.append(_plan_site(site, common, parent))
        except UserError as error:
            mistakes.append(f"{site.place}: {error}" if site.place else str(error))
    refuse_mistakes(mistakes)
    _refuse_shared_folders(listed, planned)
    return planned


def refuse_mistakes(mistakes: list[str]) -> None:
    """All mistakes at once, so that a long file need not be checked again for each of them."""
    if mistakes:
        more = len(mistakes) - _SHOWN_MISTAKES
        last = [f"and {show_count(more, 'more mistake')}"] if more > 0 else []
        raise UserError("; ".join([*mistakes[:_SHOWN_MISTAKES], *last]))


def _plan_site(site: SiteLine, common: Mapping[str, Any], parent: object) -> Options:
    given = merge_given(common, site.options)
    if parent is not None and "output" not in site.options:
        given.pop("output")
        name = make_options(site.url, given).output
        given["output"] = join_place(str(parent), str(name))
    return make_options(site.url, given)


def _refuse_shared_folders(listed: list[SiteLine], planned: list[Options]) -> None:
    seen: dict[Path, tuple[SiteLine, Options]] = {}
    mistakes = []
    for site, options in zip(listed, planned, strict=True):
        before, same = seen.setdefault(options.output.absolute(), (site, options))
        if same is not options:
            where = f"{site.place}: " if site.place else ""
            mistakes.append(f"{where}{_describe_clash(options, same, before.place)}")
    refuse_mistakes(mistakes)


def _describe_clash(options: Options, before: Options, place: str) -> str:
    line = place.rpartition(", ")[2]
    known = f"{before.url} ({line})" if line else before.url
    if options.url == before.url:
        return f"{known} is listed twice"
    return (
        f"{known} and {options.url} would share the folder {options.output}: "
        "give one of them another --output"
    )
