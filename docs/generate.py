"""Writes docs/cli.md and docs/settings.md from the code: `make docs`. A test keeps them fresh."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from datahound import settings

HERE = Path(__file__).parent
COMMANDS = (
    "crawl",
    "status",
    "fetch",
    "catalog",
    "report",
    "serve",
    "export",
    "record",
    "replay",
    "site describe",
    "site serve",
    "site import",
    "lab run",
    "lab report",
    "lab compare",
    "demo",
)

CLI_PREFACE = """\
Exit status: 0 done, 2 a mistake in what was given (one line says which), 130 interrupted, 1
anything else. `--json` gives objects for machines, one a line."""
SETTINGS_PREFACE = """\
`datahound replay --param KEY=VALUE` sets any of the simple ones by name; in Python they are frozen
dataclasses in `datahound.settings`. Defaults are the paper's where it has one. A number set by name
is at least 0 where nothing else is said."""


def cli_page() -> str:
    """Every command with its help."""
    parts = [
        "# Commands",
        CLI_PREFACE,
    ]
    for command in COMMANDS:
        parts += [f"## datahound {command}", f"```\n{help_of(command)}\n```"]
    return "\n\n".join(parts) + "\n"


def help_of(command: str) -> str:
    program = f"from datahound.cli import run; run({[*command.split(), '--help']!r})"
    plain = {**os.environ, "TYPER_USE_RICH": "0", "COLUMNS": "96", "NO_COLOR": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", program], env=plain, capture_output=True, text=True, check=True
    )
    lines = [line.rstrip() for line in shown.stdout.strip().splitlines()]
    return "\n".join(lines)


def settings_page() -> str:
    """Every setting with its default and what it does."""
    parts = [
        "# Settings",
        SETTINGS_PREFACE,
    ]
    tree = ast.parse(Path(settings.__file__).read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Settings"):
            parts += [f"## {node.name}", ast.get_docstring(node) or "", table(node)]
    return "\n\n".join(parts) + "\n"


def table(node: ast.ClassDef) -> str:
    rows = ["| name | default | what it does |", "| --- | --- | --- |"]
    following = [*node.body[1:], None]
    for field, after in zip(node.body, following, strict=True):
        if isinstance(field, ast.AnnAssign):
            default = ast.unparse(field.value) if field.value else ""
            default = default.replace("|", "\\|")
            told = " ".join(filter(None, (said(after), bounds(field.annotation))))
            rows.append(f"| `{ast.unparse(field.target)}` | `{default}` | {told} |")
    return "\n".join(rows)


def bounds(annotation: ast.expr) -> str:
    """What a number may be, where its type says so."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Within":
            least, *most = map(ast.unparse, node.args)
            return f"From {least} to {most[0]}." if most else f"At least {least}."
    return ""


def said(node: ast.stmt | None) -> str:
    """The string that stands behind a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


PAGES = {"cli.md": cli_page, "settings.md": settings_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
