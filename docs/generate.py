"""Writes docs/cli.md and docs/settings.md from the code: `make docs`. A test keeps them fresh."""

import ast
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from datahound import settings, strategy_settings
from datahound.operate.event_schema import make_schema
from datahound.parameters import describe_values, live_parameters, parameters
from datahound.runs.options import OPTIONS, Option
from datahound.store.schema import TABLES, VERSION, VIEWS

HERE = Path(__file__).parent
COMMANDS = (
    "crawl",
    "refresh",
    "targets",
    "status",
    "fetch",
    "check",
    "catalog",
    "report",
    "serve",
    "sql",
    "export",
    "pull",
    "record",
    "replay",
    "site describe",
    "site serve",
    "site import",
    "fleet add",
    "fleet run",
    "fleet refresh",
    "fleet worker",
    "fleet serve",
    "fleet status",
    "fleet stop",
    "fleet catalog",
    "lab run",
    "lab report",
    "lab compare",
    "lab against",
    "lab bound",
    "lab hard",
    "lab yield",
    "demo",
    "bot-page",
    "doctor",
    "config init",
    "config check",
)

CLI_PREFACE = """\
Exit status: 0 done, 2 a mistake in what was given (one line says which), 3 a crawl that ended
without a file (it says why), 130 interrupted, 1 anything else. `--json` prints JSON objects,
one per line."""
SETTINGS_PREFACE = """\
What a crawl can be asked for has two levels: options, which most users need, and settings, which
hold everything else. Both are declared once, in `datahound.runs.options` and `datahound.settings`;
this page is generated from there.

Settings are set by name:

- `datahound crawl`, `record` and `fetch`: `--set NAME=VALUE`, as often as needed;
- a file of sites: the same, behind a URL;
- a TOML file (`--config`): a table `[set]` with lines such as `web.idle_seconds = 10`, or
  `set = ["web.idle_seconds=10"]`;
- Python: `datahound.crawl(url, set={"web.idle_seconds": 10})`;
- `datahound replay` and `datahound lab run`: `--set` too, or `--param`, which is the same.

NAME is the heading and the name in a table below, as `strategy.hound.credit`, or the end of that if
no other setting has the same: `hound.credit` or `credit`. A value outside its bounds is refused. If
both an option and its setting are given, the option counts. *(live)* is for crawls of the web only,
*(replay, lab)* for recorded sites only."""
OPTIONS_PREFACE = """\
In a file of sites options are written as on the command line; in a TOML file without the `--`; in
Python with underscores. A folder belongs to one crawl: to continue it, the options marked *fixed*
must be the same again, and so must settings of `crawl`, `pages` and `strategy` that were set by
name."""


def cli_page() -> str:
    """Every command with its help."""
    parts = ["# Commands", CLI_PREFACE]
    for command, shown in zip(COMMANDS, show_helps(COMMANDS), strict=True):
        parts += [f"## datahound {command}", f"```\n{shown}\n```"]
    return "\n\n".join(parts) + "\n"


def show_helps(commands: Sequence[str]) -> list[str]:
    """The help of each command, by one process: libraries read its environment at import."""
    mark = "---- next command ----"
    calls = [[*command.split(), "--help"] for command in commands]
    program = f"from datahound.cli import run\nfor a in {calls!r}: run(a), print({mark!r})"
    plain = {**os.environ, "TYPER_USE_RICH": "0", "COLUMNS": "96", "NO_COLOR": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", program], env=plain, capture_output=True, text=True, check=True
    )
    lines = "\n".join(line.rstrip() for line in shown.stdout.splitlines())
    return [text.strip() for text in lines.split(mark)[:-1]]


def settings_page() -> str:
    """Every option and every setting: default, values, what it does, where it can be set."""
    parts = ["# Settings", SETTINGS_PREFACE, "## Options of a crawl", OPTIONS_PREFACE]
    parts.append(
        make_table(
            ("option", "default", "setting", "to continue", "what it does"),
            map(option_row, OPTIONS.values()),
        )
    )
    for path, group in list_groups(settings.Settings(), ""):
        rows = list(setting_rows(path, group))
        if rows:
            heading = ("name", "default", "values", "set by", "what it does")
            parts += [f"## {path}", group.__doc__ or "", make_table(heading, rows)]
    return "\n\n".join(parts) + "\n"


def option_row(option: Option) -> tuple[str, ...]:
    default = "" if option.default is MISSING else show_default(option.default)
    written = f"`--{option.written}`"
    if option.command is None:
        written = f"`{option.written}` (files and Python)"
    elif option.command:
        written = f"`{option.command}`"
        negated = option.command.startswith("--no-")
        default = show_default(not option.default if negated else option.default)
    used = ", ".join(f"`{path}`" for path in option.setting)
    fixed = "fixed" if option.identity else ""
    if option.name == "set":
        used, fixed = "any", "see above"
    return written, default, used, fixed, option.help


def list_groups(holder: Any, path: str) -> Iterator[tuple[str, type]]:
    """List the dataclasses of the settings with their names, also those that are None."""
    optional = {"early_stop": settings.EarlyStopSettings, "traps": settings.TrapSettings}
    for field in fields(holder):
        value = getattr(holder, field.name)
        value = optional[field.name]() if field.name in optional else value
        if is_dataclass(value):
            full = f"{path}{field.name}"
            yield full, type(value)
            yield from list_groups(value, f"{full}.")


def setting_rows(path: str, group: type) -> Iterator[tuple[str, ...]]:
    """List the rows of one dataclass; groups inside it have tables of their own."""
    said = descriptions()[group.__name__]
    known = {parameter.path: parameter for parameter in (*parameters(), *live_parameters())}
    defaults = group()
    for field in fields(group):
        full = f"{path}.{field.name}"
        parameter = known.get(full)
        values = describe_values(parameter.type, parameter.within) if parameter else ""
        where = ", ".join(where_set(full))
        if where:
            default = show_default(getattr(defaults, field.name))
            yield f"`{field.name}`", default, values, where, said[field.name]


def where_set(path: str) -> Iterator[str]:
    """List the options that reach a setting."""
    for option in OPTIONS.values():
        if path in option.setting:
            flags = option.command or f"--{option.written}"
            yield f"`{flags}`" if option.command is not None else f"`{option.written}`"
    live = any(path == parameter.path for parameter in live_parameters())
    replayed = any(path == parameter.path for parameter in parameters())
    if live or replayed:
        only = "" if live and replayed else " (live)" if live else " (replay, lab)"
        yield f"`--set`{only}"


def show_default(value: Any) -> str:
    if isinstance(value, float):
        return f"`{value:.6g}`"
    if isinstance(value, bool):
        return "`yes`" if value else "`no`"
    return "" if value in (None, "", (), {}) else f"`{value}`"


def descriptions() -> dict[str, dict[str, str]]:
    """The strings behind the fields of every dataclass of settings."""
    found = {}
    modules = (settings, strategy_settings)
    for node in (n for m in modules for n in ast.parse(Path(m.__file__).read_text()).body):
        if isinstance(node, ast.ClassDef) and node.name.endswith("Settings"):
            said = {}
            for field, after in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(field, ast.AnnAssign):
                    said[ast.unparse(field.target)] = text_of(after)
            found[node.name] = said
    return found


def text_of(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def make_table(heading: tuple[str, ...], rows: Any) -> str:
    lines = [heading, ("---",) * len(heading), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


_TABLES = {
    "targets": "the data files that were found, and what became of each",
    "pages": "the pages that were read, and what each brought",
    "actions": "the groups of links",
    "skipped": "links that were not followed, and why",
    "requests": "every request, in order",
    "files_elsewhere": "files on hosts outside the site",
    "fact": "facts by name, as JSON: identity, ending, what happens now",
    "text": "texts that rows share, such as the URLs of pages",
    "link": "every link on the site, by the order of discovery",
    "skip": "behind `skipped`",
    "elsewhere": "behind `files_elsewhere`",
    "request": "behind `requests`",
    "action": "behind `actions`",
    "visit": "what became of each chosen link",
    "target": "behind `targets`",
    "choice": "each choice of a link, and what it rests on",
    "foreseen": "files that were asked for before their pages",
    "file": "the download of each file",
    "known": "URLs that were met, for checkpoints",
    "state": "the state of the crawl, for checkpoints",
}


def crawl_db_page():
    """The views and tables of an empty database, with their columns."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES + VIEWS)
        found = connection.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid"
        ).fetchall()
        columns = {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for name, _ in found
        }
    lines = [
        "# crawl.db",
        "",
        f"The database of a crawl, in SQLite; format {VERSION}. The views are for users, and stay",
        "as they are if possible; tables may change with the format. Times are seconds since",
        "1970. This page is made from the code (`make docs`).",
        "",
        'Ask it with `datahound sql DIR "SELECT ..."`, which changes nothing; the tables of the',
        "catalogue are there as `catalog.dataset` and `catalog.data_table`.",
    ]
    for kind, title in (("view", "Views"), ("table", "Tables")):
        lines += ["", f"## {title}", "", "| name | what it has | columns |", "| --- | --- | --- |"]
        for name, found_kind in found:
            if found_kind == kind:
                named = ", ".join(f"`{column}`" for column in columns[name])
                lines.append(f"| `{name}` | {_TABLES.get(name, '')} | {named} |")
    return "\n".join(lines) + "\n"


def events_schema():
    return json.dumps(make_schema(), indent=1, ensure_ascii=False) + "\n"


PAGES = {
    "cli.md": cli_page,
    "settings.md": settings_page,
    "crawl_db.md": crawl_db_page,
    "events.schema.json": events_schema,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
