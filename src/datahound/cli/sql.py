"""`datahound sql`: a query on the databases of a crawl."""

import csv
import json as to_json
import sys
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from datahound.catalog.catalog import Catalog
from datahound.cli.tables import console
from datahound.errors import UserError
from datahound.remote.local_copy import find_local
from datahound.store.queries import user_query
from datahound.text import guard_formula, replace_surrogates, show_text

_SHOWN_ROWS = 100


def sql(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="SELECT", help="The query; without it, the tables and columns are listed."
        ),
    ] = None,
    *,
    csv_: Annotated[bool, typer.Option("--csv", help="All rows, for spreadsheets.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="All rows, one JSON object per line.")
    ] = False,
) -> None:
    """Query the databases of a crawl in SQL; nothing is changed.

    datahound sql www.example.org "SELECT url, bytes FROM targets ORDER BY bytes DESC LIMIT 10"
    """
    if csv_ and json:
        raise UserError("--csv and --json: give one of them")
    folder = find_local(folder, files=False)
    catalog = Catalog.locate(folder) if Catalog.exists(folder) else None
    asked = (
        user_query.list_views(folder, catalog)
        if question is None
        else user_query.ask_crawl(folder, question, catalog)
    )
    with asked as answered:
        if csv_:
            _write_csv(answered)
        elif json:
            _write_json(answered)
        else:
            _show_table(answered)


def _write_csv(answered: user_query.Answered) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(map(guard_formula, answered.columns))
    for row in answered.rows:
        writer.writerow([guard_formula(_plain(value)) for value in row])


def _write_json(answered: user_query.Answered) -> None:
    for row in answered.rows:
        named = dict(zip(answered.columns, map(_plain, row), strict=True))
        typer.echo(to_json.dumps(named, ensure_ascii=False))


def _show_table(answered: user_query.Answered) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in answered.columns:
        table.add_column(Text(show_text(column)), overflow="fold")
    for row in islice(answered.rows, _SHOWN_ROWS):
        table.add_row(*(Text("" if value is None else show_text(_plain(value))) for value in row))
    out = console()
    out.print(table)
    if next(answered.rows, None) is not None:
        out.print(f"these are the first {_SHOWN_ROWS} rows: --csv and --json give all")


def _plain(value: Any) -> Any:
    """A value of SQLite as JSON and CSV can hold it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no word for it
    return replace_surrogates(value) if isinstance(value, str) else value
