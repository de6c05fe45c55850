"""Group datasets that are the same table in another format or of another year."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from datahound.catalog.titles import is_meaningful, list_content_words, tidy_text
from datahound.text import fold_text

_SELECT = "SELECT id, url, title, page_title, page, sha256, columns_mark FROM dataset ORDER BY id"
_UPDATE = "UPDATE dataset SET family = ? WHERE id = ? AND family IS NOT ?"
_UPDATE_BRIEF = "UPDATE brief SET family = ? WHERE id = ? AND family IS NOT ?"
_TIME = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?:\s*[-/–_]\s*(?:(?:1[5-9]|20)?\d\d))?(?!\d)|\b[qt][1-4]\b|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b\d{1,2}\b"
)
_FORMAT = re.compile(r"\b(?:csv|tsv|xlsx?|xlsb|ods|pdf|zip|gz|json|xml|html?|txt|excel|data)\b")
# Two columns such as `year` and `value` are in a thousand unrelated tables.
_MIN_COLUMNS, _MIN_WORDS, _LONG_PHRASE = 3, 2, 12
_UNNAMED = re.compile(r"column \d+")


@dataclass(frozen=True, slots=True)
class Member:
    """The properties of a dataset that decide its family."""

    id: int
    url: str
    title: str
    page: str
    sha256: str
    columns: str


def find_families(members: Iterable[Member]) -> dict[int, int]:
    """Map each dataset to the smallest id of its family, with union-find over shared marks."""
    parents: dict[int, int] = {}
    owners: dict[tuple[str, ...], int] = {}
    for member in members:
        parents[member.id] = member.id
        for mark in _list_marks(member):
            owner = owners.setdefault(mark, member.id)
            # The smaller id stays the root, so that families keep their ids.
            one, other = _find_root(parents, owner), _find_root(parents, member.id)
            parents[max(one, other)] = min(one, other)
    return {id_: _find_root(parents, id_) for id_ in parents}


def write_families(connection: sqlite3.Connection) -> None:
    """Find all families and store them."""
    members = (
        # The title of its page, where a file has none, is that of all files there: then only those
        # with the same columns are one table.
        Member(
            id_,
            url,
            title or "",
            "" if title == tidy_text(heading or "") else page or "",
            sha256 or "",
            columns or "",
        )
        for id_, url, title, heading, page, sha256, columns in connection.execute(_SELECT)
    )
    found = find_families(members)
    changes = [(family, id_, family) for id_, family in found.items()]
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(_UPDATE, changes)
    connection.executemany(_UPDATE_BRIEF, changes)
    connection.execute("COMMIT")


def make_stem(text: str) -> str:
    """A title or name without years, numbers and formats.

    >>> make_stem("Pupils by school, 2019 (CSV)"), make_stem("pupils_by_school-2018-19")
    ('pupils by school', 'pupils by school')
    """
    words = re.sub(r"[_+]", " ", fold_text(text))
    return " ".join(re.sub(r"[\W]+", " ", _FORMAT.sub(" ", _TIME.sub(" ", words))).split())


def _list_marks(member: Member) -> Iterable[tuple[str, ...]]:
    """The marks of a dataset; two datasets that share a mark are one family."""
    if member.sha256:
        yield ("same bytes", member.sha256)
    stem = make_stem(member.title)
    columns = member.columns
    # Titles such as `Download` or `Population` would join unrelated files.
    if not _is_specific(stem):
        stem = ""
    if stem and columns:
        yield ("same title and columns", stem, columns)
    # The same title on the same page: formats and years of one table.
    if stem and member.page:
        yield ("same title and page", stem, member.page)
    host, folder, name = _split_url(member.url)
    if is_meaningful(name):
        yield ("same name and folder", host, folder, name)
        if columns:
            yield ("same name and columns", host, name, columns)


def _is_specific(stem: str) -> bool:
    """Whether a title is specific enough that two files with it are probably about the same."""
    words = list_content_words(stem)
    # Scripts without spaces have whole phrases in a word.
    return len(words) >= _MIN_WORDS or any(
        not word.isascii() and len(word) >= _LONG_PHRASE for word in words
    )


def stem_columns(names: Iterable[str]) -> str:
    """The sorted names of columns without years; '' if there are too few to compare."""
    stems = sorted({make_stem(name) for name in names if not _UNNAMED.fullmatch(name)} - {""})
    return "\x1f".join(stems) if len(stems) >= _MIN_COLUMNS else ""


def _split_url(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    path = PurePosixPath(unquote(parts.path))
    name = path.name.rsplit(".", 1)[0] if "." in path.name else path.name
    # Years are often folders: files/2019/pupils.csv.
    folder = "/".join(make_stem(part) or "*" for part in path.parent.parts)
    return (
        parts.netloc,
        folder,
        make_stem(name.replace("-", " ")) + (f"?{make_stem(parts.query)}" if parts.query else ""),
    )


def _find_root(parents: dict[int, int], id_: int) -> int:
    while parents[id_] != id_:
        # Path halving: later searches from here take half the steps.
        parents[id_] = parents[parents[id_]]
        id_ = parents[id_]
    return id_
