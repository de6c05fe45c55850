"""One file per command, thin over the library."""

import os
import sys

import typer

from datahound.cli.catalog import catalog
from datahound.cli.crawl import crawl
from datahound.cli.demo import demo
from datahound.cli.export import export
from datahound.cli.fetch import fetch
from datahound.cli.lab import app as lab
from datahound.cli.record import record
from datahound.cli.replay import replay
from datahound.cli.report import report
from datahound.cli.serve import serve
from datahound.cli.site import app as site
from datahound.cli.status import status
from datahound.errors import DatahoundError, UserError

app = typer.Typer(
    name="datahound",
    help="The data files of a website, with as few requests as possible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _command in (crawl, status, fetch, catalog, report, serve, export, record, replay, demo):
    app.command()(_command)
app.add_typer(site, name="site")
app.add_typer(lab, name="lab")


def main() -> None:
    """Run a command; what goes wrong is said in one line."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command line and give its exit status: 0, 2 for the user's mistake, 130, or 1."""
    try:
        code = app(arguments, prog_name="datahound", standalone_mode=False)
    except UserError as error:
        return _complain(str(error), 2)
    except DatahoundError as error:
        return _complain(str(error), 1)
    except typer.TyperException as error:
        return _complain(_one_line(error.format_message()), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has gone; so that Python does not complain while closing it:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(_one_line(str(error)), 1)
    return code if isinstance(code, int) else 0


def _complain(message: str, code: int) -> int:
    print(f"datahound: {message}", file=sys.stderr)
    return code


def _one_line(message: str) -> str:
    return " ".join(message.split())
