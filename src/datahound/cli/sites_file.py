"""The file of sites to crawl: text, CSV or TOML, with any option for each site."""

import csv
import io
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.runs.options import OPTIONS

_NEGATED = "no-"
_DELIMITERS = ",;\t"
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site that was listed: its URL, its own options, and the place in the file."""

    url: str
    options: dict[str, Any] = field(default_factory=dict)
    place: str = ""


def read_sites(path: Path) -> list[SiteLine]:
    """The sites of a file, whose name says its format: `.csv`, `.toml`, or text otherwise."""
    readers = {".csv": _read_csv, ".toml": _read_toml}
    read = readers.get(path.suffix.lower(), _read_lines)
    sites = list(read(path, read_text(path)))
    if not sites:
        hint = ": give a table [[site]] for each" if read is _read_toml else ""
        raise UserError(f"{path}: lists no site{hint}")
    return sites


def _read_lines(path: Path, text: str) -> Iterator[SiteLine]:
    """URLs, one a line, each with the options that follow it; `#` begins a comment."""
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"{path}, line {number}"
        try:
            # Quoted as in a shell, so that lines can be copied from a command.
            words = shlex.split(line, comments=True)
            if words:
                yield SiteLine(words[0], parse_words(words[1:]), place)
        except (ValueError, UserError) as error:
            raise UserError(f"{place}: {error}") from None


def _read_csv(path: Path, text: str) -> Iterator[SiteLine]:
    """A column `url`, and one for each option; values of a list are separated by semicolons."""
    # Excel writes a byte order mark, which would be part of the first name.
    text = text.removeprefix("\ufeff")
    table = csv.DictReader(io.StringIO(text), strict=True, delimiter=_find_delimiter(text))
    try:
        names = [name.strip() for name in table.fieldnames or ()]
        if "url" not in names:
            raise UserError(f"{path}: the first line names the columns, and one of them is url")
        for row in table:
            place = f"{path}, line {table.line_num}"
            # What `DictReader` makes of a row that is too long, or too short.
            if None in row or None in row.values():
                raise UserError(f"{place}: has not as many cells as the first line")
            cells = {name.strip(): (cell or "").strip() for name, cell in row.items()}
            if url := cells.pop("url"):
                given = {name: _read_cell(name, cell) for name, cell in cells.items() if cell}
                yield SiteLine(url, given, place)
    except csv.Error as error:
        raise UserError(f"{path}: is not CSV: {error}") from None


def _find_delimiter(text: str) -> str:
    """What separates columns: Excel writes semicolons where decimals have a comma.

    >>> _find_delimiter("url,delay"), _find_delimiter("url;delay"), _find_delimiter("url")
    (',', ';', ',')
    """
    names = text.partition("\n")[0]
    return max(_DELIMITERS, key=names.count)


def _read_cell(name: str, cell: str) -> object:
    if is_flag(name):
        return FLAGS.get(cell.lower(), cell)
    option = OPTIONS.get(name.replace("-", "_"))
    return cell.split(";") if option is not None and option.form == "list" else cell


def _read_toml(path: Path, text: str) -> Iterator[SiteLine]:
    """Tables `[[site]]` with a `url` and options; options above them are for all sites."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: is not TOML: {error}") from None
    tables = found.pop("site", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UserError(f"{path}: sites are written as tables [[site]]")
    for number, table in enumerate(tables, start=1):
        own = {name.replace("_", "-"): value for name, value in {**found, **table}.items()}
        url = own.pop("url", None)
        if not isinstance(url, str):
            raise UserError(f"{path}, site {number}: has no url")
        yield SiteLine(url, own, f"{path}, site {number}")


def is_flag(name: str) -> bool:
    """Whether an option has no value on the command line."""
    option = OPTIONS.get(name.replace("-", "_"))
    return option is not None and option.form == "flag"


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
        options[name] = _join(options.get(name), given)
    return options


def _join(before: Any, value: str) -> Any:
    if before is None:
        return value
    return [*(before if isinstance(before, list) else [before]), value]


def read_text(path: Path) -> str:
    """The text of a file that a user named."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise UserError(f"{path}: can't be read: {reason}") from None
