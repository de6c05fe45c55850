"""Export the kept files as a Frictionless Data Package.

A delimited file becomes a resource with a schema if it is one clean table to its last byte.
"""

import codecs
import csv
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from datahound.catalog.archives import can_open
from datahound.catalog.catalog import Catalog, Entry, Table
from datahound.catalog.exports.crawled import Job, Kept, Outcome
from datahound.catalog.exports.folder import MADE_BY, ExportFolder, claim_file
from datahound.catalog.exports.media import choose_media_type
from datahound.files import write_whole
from datahound.text import (
    claim_name,
    escape_iri,
    make_portable,
    make_slug,
    replace_surrogates,
    show_text,
)
from datahound.web.urls import host_of

MAX_BYTES = 256 << 20
"""Larger files get no schema: all rows must be read to know that it is true."""

_MAX_CELL = 1 << 20
_MAX_COLUMNS = 2000
_COMMENT = "#"
_MISSING = ("", *".. ... - -- : n/a N/A NA na x * . null NULL".split())
"""Marks of missing values; a column of numbers may contain some."""

# At most 18 digits, which fit into 64 bits in every reader; no leading zeros, which codes have.
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?")
_COMMA_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})(?:,[0-9]{1,18})?")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}")
# Days up to 28 only: the pattern can't know months, and one date that does not exist makes a
# package invalid.
_DATE = re.compile(r"(?:1[5-9]|2[0-9])[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])")
_DATETIME = re.compile(_DATE.pattern + r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z?")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
# A column has the first type that fits all of its cells.
_TYPES: tuple[tuple[re.Pattern[str], dict[str, str]], ...] = (
    (_YEAR, {"type": "year"}),
    (_INTEGER, {"type": "integer"}),
    (_NUMBER, {"type": "number"}),
    (_COMMA_NUMBER, {"type": "number", "decimalChar": ","}),
    (_DATE, {"type": "date"}),
    (_DATETIME, {"type": "datetime"}),
    (_BOOLEAN, {"type": "boolean"}),
)


@dataclass(slots=True)
class _Column:
    """The types that fit all cells of a column so far."""

    fitting: list[int] = field(default_factory=lambda: list(range(len(_TYPES))))
    marks: set[str] = field(default_factory=set)
    filled: bool = False

    def add(self, cell: str) -> None:
        if cell in _MISSING:
            self.marks.add(cell)
            return
        self.filled = True
        # Only the first type is tried on each cell: the rest are tried when it fails, which is
        # rare.
        if self.fitting and not _TYPES[self.fitting[0]][0].fullmatch(cell):
            self.fitting = [n for n in self.fitting if _TYPES[n][0].fullmatch(cell)]


@dataclass(frozen=True, slots=True)
class CleanTable:
    """How to read a clean file."""

    encoding: str
    dialect: dict[str, Any]
    schema: dict[str, Any]
    rows: int

    @property
    def names(self) -> list[str]:
        return [field["name"] for field in self.schema["fields"]]


def find_clean_table(
    file: Path, encoding: str, delimiter: str, header_row: int = 1
) -> CleanTable | None:
    """The table that fills a file from its header row on; None if the file is not clean."""
    if len(delimiter) != 1 or file.stat().st_size > MAX_BYTES:
        return None
    try:
        named = codecs.lookup(encoding or "utf-8").name
        with file.open(encoding=named, newline="") as opened:
            return _check_table(opened, _name_encoding(named), delimiter, header_row)
    except (OSError, ValueError, LookupError, csv.Error):
        return None


def _check_table(
    opened: TextIO, encoding: str, delimiter: str, header_row: int
) -> CleanTable | None:
    rows = _read_rows(opened, delimiter)
    header = next(islice(rows, max(0, header_row - 1), None), [])
    if not _is_header(header):
        return None
    columns = [_Column() for _ in header]
    width, count, comments = len(header), 0, 0
    for row in rows:
        if row and row[0].startswith(_COMMENT):
            comments += 1
            continue
        # Readers stop at a ragged or blank row: one is enough to be unclean.
        if len(row) != width or not any(row):
            return None
        for column, cell in zip(columns, row, strict=True):
            column.add(cell)
        count += 1
    if not count:
        return None
    dialect: dict[str, Any] = {"delimiter": delimiter, "quoteChar": '"', "doubleQuote": True}
    dialect |= {"headerRows": [header_row]} if header_row > 1 else {}
    dialect |= {"commentChar": _COMMENT} if comments else {}
    return CleanTable(encoding, dialect, _make_schema(header, columns), count)


def _read_rows(opened: TextIO, delimiter: str) -> Iterator[list[str]]:
    # A byte order mark would become part of the first column's name.
    if opened.read(1) != "\ufeff":
        opened.seek(0)
    reader = csv.reader(opened, delimiter=delimiter, strict=True)
    for row in reader:
        if any(len(cell) > _MAX_CELL or "\0" in cell for cell in row):
            raise ValueError("not a cell of a clean table")
        yield row


def _is_header(cells: list[str]) -> bool:
    names = {cell.strip() for cell in cells}
    plain = bool(cells) and all(
        cell and cell == cell.strip() and cell.isprintable() for cell in cells
    )
    plain = plain and not cells[0].startswith(_COMMENT)
    return plain and len(names) == len(cells) <= _MAX_COLUMNS


def _make_schema(header: list[str], columns: list[_Column]) -> dict[str, Any]:
    fields = []
    marks = {""}
    for name, column in zip(header, columns, strict=True):
        found = dict(_TYPES[column.fitting[0]][1]) if column.filled and column.fitting else None
        if found:
            marks |= column.marks
        fields.append({"name": name, **(found or {"type": "string"})})
    return {"fields": fields, "missingValues": sorted(marks)}


def _name_encoding(codec: str) -> str:
    return {"utf_8_sig": "utf-8", "utf-8-sig": "utf-8"}.get(codec, codec)


FILE_NAME = "datapackage.json"
_DELIMITED = ("csv", "tsv")


def export_datapackage(job: Job) -> Outcome:
    """Describe the files in place, or link them into another folder and describe them there."""
    outcome = Outcome(job.output, {"resources": 0, "tables with a schema": 0})
    place = job.output.parent if job.output.name == FILE_NAME else job.output
    if place.resolve() == job.crawled.folder.resolve():
        claim_file(place / FILE_NAME, force=job.force)
        with write_whole(place / FILE_NAME) as draft:
            _write_package(job, draft, _FilesInPlace(), outcome)
        return outcome
    with (
        ExportFolder(place, "datapackage", force=job.force) as folder,
        folder.write_file(FILE_NAME, "") as draft,
    ):
        _write_package(job, draft, _LinkedFiles(folder), outcome)
    return outcome


class _FilesInPlace:
    """Describes files where they are; names that readers refuse are left out."""

    def place(self, _file: Path, kept: Kept) -> str | None:
        path = f"files/{kept.path}"
        # Readers refuse paths that lead out or contain variables.
        safe = "../" not in path and "\\" not in path and os.path.expandvars(path) == path
        return path if safe and replace_surrogates(path) == path else None


class _LinkedFiles:
    """Links or copies files under names that every file system accepts."""

    def __init__(self, folder: ExportFolder) -> None:
        self._folder = folder
        self._taken: set[str] = set()

    def place(self, file: Path, kept: Kept) -> str | None:
        name = PurePosixPath("files", make_portable(kept.path))
        stem = claim_name(str(name.with_suffix("")), self._taken)
        path = stem + name.suffix
        if not self._folder.has(path, kept.sha256):
            with self._folder.write_file(path, kept.sha256) as draft:
                _link_file(file, draft)
        return path


def _link_file(file: Path, draft: Path) -> None:
    try:
        # A link costs no space; a copy where the folders are on different file systems.
        draft.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, draft)


def _write_package(
    job: Job, draft: Path, placement: "_FilesInPlace | _LinkedFiles", outcome: Outcome
) -> None:
    with draft.open("w", encoding="utf-8") as to:
        # Written piece by piece: a large crawl has a hundred thousand resources.
        to.write(_make_header(job) + ',\n"resources": [')
        names: set[str] = set()
        omitted: list[dict[str, Any]] = []
        for kept, entries in _list_files(job):
            job.progress("describing files", len(names), 0)
            described = _describe_file(job, kept, entries, placement)
            described = {"name": claim_name(_make_name(kept), names), **described}
            if "reason" in described:
                omitted.append(described)
                outcome.left_out += 1
                job.tell(f"{show_text(kept.url)}: {described['reason']}")
                continue
            _write_resource(to, described, first=not outcome.written["resources"])
            outcome.written["resources"] += 1
            outcome.written["tables with a schema"] += "schema" in described
        rest = f',\n"omitted": {json.dumps(omitted, ensure_ascii=False)}' if omitted else ""
        to.write(f"\n]{rest}\n}}\n")


def _make_header(job: Job) -> str:
    crawled = job.crawled
    host = show_text(host_of(crawled.seed))
    described = {
        "name": make_slug(host) or "crawl",
        "title": f"Data files of {host}",
        "description": f"Found in a crawl of {escape_iri(crawled.seed)}; {MADE_BY}.",
        "homepage": escape_iri(crawled.seed),
        "created": crawled.last_at or crawled.began_at,
        "sources": [{"title": host, "path": escape_iri(crawled.seed)}],
    }
    return json.dumps(described, indent=0, ensure_ascii=False).rstrip("}\n")


def _write_resource(to: TextIO, described: dict[str, Any], *, first: bool) -> None:
    to.write(("\n" if first else ",\n") + json.dumps(described, ensure_ascii=False))


def _list_files(job: Job) -> Iterator[tuple[Kept, list[Entry]]]:
    """Every kept file once, with the datasets of all URLs that returned it."""
    catalog = job.require_catalog()
    # Equal bytes under several URLs are kept once.
    by_path: dict[str, list[Kept]] = {}
    for kept in job.crawled.kept():
        by_path.setdefault(kept.path, []).append(kept)
    for found in by_path.values():
        entries = [entry for kept in found if (entry := catalog.entry_of(kept.url))]
        if job.statistics_only and not any(entry.statistics for entry in entries):
            continue
        yield found[0], entries


def _describe_file(
    job: Job, kept: Kept, entries: list[Entry], placement: "_FilesInPlace | _LinkedFiles"
) -> dict[str, Any]:
    """Describe a file as a resource; a `reason` says why it must be omitted."""
    first = entries[0] if entries else None
    title = show_text(first.title if first else "") or show_text(PurePosixPath(kept.path).name)
    described: dict[str, Any] = {"title": title, "sources": _list_sources(kept, entries)}
    if first:
        described |= _describe_stated(first)
    file = job.crawled.file(kept.path)
    if file is None:
        return {**described, "reason": "its file is missing"}
    # A package whose hash does not fit is invalid as a whole.
    if file.stat().st_size != kept.bytes:
        return {**described, "reason": "its file was changed since the crawl"}
    if not can_open(file):
        reason = "is a broken archive, which no reader of data packages would open"
        return {**described, "path": replace_surrogates(f"files/{kept.path}"), "reason": reason}
    path = placement.place(file, kept)
    if path is None:
        return {**described, "reason": "its name is refused by readers; --output DIR renames it"}
    form = first.format if first else ""
    described |= {"path": path, "type": "file", "format": form or PurePosixPath(path).suffix[1:]}
    described |= {"mediatype": choose_media_type(form, kept.mime_type), "bytes": kept.bytes}
    described |= {"hash": f"sha256:{kept.sha256}"}
    if first and form in _DELIMITED and job.catalog:
        described |= _describe_table(job.catalog, first, file)
    return described


def _describe_stated(entry: Entry) -> dict[str, Any]:
    """Description and licence as a portal states them."""
    found: dict[str, Any] = {}
    if description := show_text(entry.description):
        found["description"] = description
    if licence := show_text(entry.licence):
        # A licence has a name or a path; what portals give may be either.
        is_path = "://" in licence and " " not in licence
        found["licenses"] = [{"path": escape_iri(licence)} if is_path else _name_licence(licence)]
    return found


def _name_licence(licence: str) -> dict[str, str]:
    return {"name": make_slug(licence) or "other", "title": licence}


def _describe_table(catalog: Catalog, entry: Entry, file: Path) -> dict[str, Any]:
    """How to read a delimited file; with a schema only if all of the file fits it."""
    known = {"encoding": entry.encoding} if _is_codec(entry.encoding) else {}
    tables = catalog.tables(entry.id)
    # A schema is of one table that fills its file; two tables are two schemas.
    if len(tables) != 1:
        return known
    (table,) = tables
    found = find_clean_table(file, entry.encoding, entry.delimiter, _find_header_row(table))
    if found is None or found.rows != table.rows or found.names != _list_names(table):
        return known
    return {
        "type": "table",
        "profile": "tabular-data-resource",
        "format": "csv",
        "encoding": found.encoding,
        "dialect": found.dialect,
        "schema": found.schema,
    }


def _find_header_row(table: Table) -> int:
    """The row that names the columns, counted from 1: the one before the first data row."""
    first = table.address.get("first")
    return first if isinstance(first, int) else 1


def _list_names(table: Table) -> list[str]:
    return [field.name for field in table.fields]


def _list_sources(kept: Kept, entries: list[Entry]) -> list[dict[str, str]]:
    found = [(kept.url, "")] if not entries else []
    for entry in entries:
        found += [(entry.url, entry.link_title), (entry.page, entry.page_title)]
    urls: dict[str, str] = {}
    for url, title in found:
        if url:
            urls.setdefault(escape_iri(url), show_text(title) or escape_iri(url))
    return [{"title": title, "path": url} for url, title in urls.items()]


def _make_name(kept: Kept) -> str:
    return make_slug(PurePosixPath(kept.path).name) or "file"


def _is_codec(name: str) -> bool:
    try:
        codecs.lookup(name or "none")
    except LookupError:
        return False
    return True
