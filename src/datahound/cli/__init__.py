"""One file per command, thin over the library."""

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import Any

import typer
from typer.main import get_command

from datahound.errors import DatahoundError, UserError
from datahound.text import replace_surrogates, show_text

_LONGEST = 2000
COMMANDS = {
    "crawl": "Crawl websites for their data files; the same command again continues.",
    "refresh": "Look for what is new on sites that were crawled before; without a limit,"
    " everywhere.",
    "targets": "List the names that --target takes, and what each of them means.",
    "status": "Show the state of a crawl, running or not.",
    "fetch": "Get the files of a crawl that was made with --list-only, or that are still missing.",
    "check": "Check the files, the journal and the databases of a crawl, and repair them.",
    "catalog": "Look into the files of a crawl, or search among them; only new files are read.",
    "report": "Describe a crawl on one page that works offline and prints well.",
    "serve": "Look at crawls in a browser while they run and after, and at the data they found.",
    "sql": "Query the databases of a crawl in SQL; nothing is changed.",
    "export": "Export what a crawl found: as a catalogue, as tables, as a web archive.",
    "pull": "Fetch a crawl folder from object storage; what is there already is not fetched again.",
    "record": "Record a website breadth first; the same command again continues.",
    "replay": "Replay recorded sites and count the requests that each crawler needs.",
    "doctor": "Check Python, disk, DNS, TLS, the browser and the extras, on one screen.",
    "bot-page": "Write the key directory and the contact page that site owners look for.",
    "demo": "Replay the built-in site with every strategy, then crawl it over HTTP, on this"
    " machine.",
    "config": "The file of options: write one that lists all of them, and check one.",
    "site": "Recorded websites: describe, serve and import them.",
    "fleet": "Many sites on many machines, which share one store.",
    "lab": "Experiments: run them, report on them, compare them.",
}
"""Each command, named as its module but for hyphens, with the line that `--help` has for it."""

_GROUPS = ("site", "lab", "config", "fleet")
"""Commands that have commands of their own, in a Typer called `app`."""

_VALUES = {"str": "TEXT", "list[str]": "TEXT", "Path": "PATH", "int": "N", "float": "NUMBER"}
"""What a value of each type is called in the help."""


def make_app(*names: str) -> typer.Typer:
    """The command line with these commands; of the others, names and help only.

    To import a command is to import the libraries it needs, so only the one that runs is imported.
    """
    app = typer.Typer(
        name="datahound",
        help="The data files of a website, with as few requests as possible."
        " `datahound --version` prints the version.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for name, summary in COMMANDS.items():
        if name not in names:
            app.command(name, help=summary)(_ignore)
            continue
        module = import_module(f"{__name__}.{to_module(name)}")
        if name in _GROUPS:
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, to_module(name)))
    return app


def make_command(*names: str) -> Callable[..., object]:
    """The command line with these commands, whose help says what options take as people do."""
    command = get_command(make_app(*names))
    _name_values(command)
    return command


def _name_values(command: Any) -> None:
    """Name the values of options by what they are; Typer would write `<path>`, and `<bool>`."""
    for below in getattr(command, "commands", {}).values():
        _name_values(below)
    for parameter in command.get_params(typer.Context(command)):
        if parameter.param_type_name == "argument":
            # The name is in capitals and says it.
            parameter.display_type = _name_nothing
        elif parameter.metavar is None:
            parameter.metavar = "" if parameter.is_flag else _VALUES.get(parameter.bare_type())


def _name_nothing(_context: object) -> str:
    return ""


def to_module(name: str) -> str:
    """The module of a command, and its function there."""
    return name.replace("-", "_")


def main(begin: Callable[[], None] = lambda: None) -> None:
    """Run a command; report a failure in one line. `begin` is called once it is imported."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A title in Greek must not end a crawl where the terminal has no Greek letters.
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:], begin))


def run(arguments: list[str], begin: Callable[[], None] = lambda: None) -> int:
    """Run a command line and return its exit status: 0, 2 for the user's mistake, 3, 130, or 1."""
    if "--version" in arguments[:1]:
        print(f"datahound {version('datahound')}")
        return 0
    # Without a command, Typer would say after its help that one is missing.
    arguments = arguments or ["--help"]
    command = next((a for a in arguments if not a.startswith("-")), "")
    if strange := next((a for a in arguments if a != replace_surrogates(a)), None):
        # Neither SQLite nor JSON could store it.
        return _complain(f"an argument has bytes that are not UTF-8: {strange}", 2)
    try:
        app = make_command(command)
        begin()
        code = app(arguments, prog_name="datahound", standalone_mode=False)
    except UserError as error:
        return _complain(str(error), 2)
    except DatahoundError as error:
        return _complain(str(error), 1)
    except typer.TyperException as error:
        return _complain(error.format_message(), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except BrokenPipeError:
        # The reader of our output has gone. Without this, Python complains when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(str(error), 2 if error.errno == errno.ENAMETOOLONG else 1)
    return code if isinstance(code, int) else 0


def _ignore() -> None:
    """Take the place of a command that is not run."""


def _complain(message: str, code: int) -> int:
    print(f"datahound: {show_text(message, _LONGEST)}", file=sys.stderr)
    return code
