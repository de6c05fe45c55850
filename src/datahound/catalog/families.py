"""Near-duplicates: the same table in another format, or of another year."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from datahound.catalog.titles import says_something
from datahound.text import fold_text

_ROWS = "SELECT id, url, title, page, sha256, columns_mark FROM dataset ORDER BY id"
_SET = "UPDATE dataset SET family = ? WHERE id = ? AND family IS NOT ?"
_SET_BRIEFLY = "UPDATE brief SET family = ? WHERE id = ? AND family IS NOT ?"
_TIME = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?:\s*[-/–_]\s*(?:(?:1[5-9]|20)?\d\d))?(?!\d)|\b[qt][1-4]\b|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b\d{1,2}\b"
)
_FORMAT = re.compile(r"\b(?:csv|tsv|xlsx?|xlsb|ods|pdf|zip|gz|json|xml|html?|txt|excel|data)\b")
_FEWEST_COLUMNS = 3
_NAMELESS = re.compile(r"column \d+")


@dataclass(frozen=True, slots=True)
class Member:
    """What a dataset is recognised by."""

    id: int
    url: str
    title: str
    page: str
    sha256: str
    columns: str


def find_families(members: Iterable[Member]) -> dict[int, int]:
    """For each dataset the first one of its family."""
    parents: dict[int, int] = {}
    owners: dict[tuple[str, ...], int] = {}
    for member in members:
        parents[member.id] = member.id
        for mark in _marks(member):
            owner = owners.setdefault(mark, member.id)
            one, other = _root(parents, owner), _root(parents, member.id)
            parents[max(one, other)] = min(one, other)
    return {id_: _root(parents, id_) for id_ in parents}


def write_families(connection: sqlite3.Connection) -> None:
    """Find the families anew and write them down."""
    members = (
        Member(id_, url, title or "", page or "", sha256 or "", columns or "")
        for id_, url, title, page, sha256, columns in connection.execute(_ROWS)
    )
    found = find_families(members)
    changes = [(family, id_, family) for id_, family in found.items()]
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(_SET, changes)
    connection.executemany(_SET_BRIEFLY, changes)
    connection.execute("COMMIT")


def stem_of(text: str) -> str:
    """A title or name without years, numbers and formats.

    >>> stem_of("Pupils by school, 2019 (CSV)"), stem_of("pupils_by_school-2018-19")
    ('pupils by school', 'pupils by school')
    """
    words = re.sub(r"[_+]", " ", fold_text(text))
    return " ".join(re.sub(r"[\W]+", " ", _FORMAT.sub(" ", _TIME.sub(" ", words))).split())


def _marks(member: Member) -> Iterable[tuple[str, ...]]:
    """Those that share one of these are of one family."""
    if member.sha256:
        yield ("same bytes", member.sha256)
    stem = stem_of(member.title)
    columns = member.columns
    if not says_something(stem):
        stem = ""
    if stem and columns:
        yield ("same title and columns", stem, columns)
    if stem and member.page:
        yield ("same title and page", stem, member.page)
    host, folder, name = _address(member.url)
    if says_something(name):
        yield ("same name and folder", host, folder, name)
        if columns:
            yield ("same name and columns", host, name, columns)


def stem_of_columns(names: Iterable[str]) -> str:
    """The names of columns without years, in any order; '' if they are too few to tell."""
    stems = sorted({stem_of(name) for name in names if not _NAMELESS.fullmatch(name)} - {""})
    return "\x1f".join(stems) if len(stems) >= _FEWEST_COLUMNS else ""


def _address(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    path = PurePosixPath(unquote(parts.path))
    name = path.name.rsplit(".", 1)[0] if "." in path.name else path.name
    folder = "/".join(stem_of(part) or "*" for part in path.parent.parts)
    return (
        parts.netloc,
        folder,
        stem_of(name.replace("-", " ")) + (f"?{stem_of(parts.query)}" if parts.query else ""),
    )


def _root(parents: dict[int, int], id_: int) -> int:
    while parents[id_] != id_:
        parents[id_] = parents[parents[id_]]
        id_ = parents[id_]
    return id_
