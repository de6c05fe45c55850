"""Export the kept files as a Frictionless Data Package."""

import codecs
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from datahound.catalog.archives import can_open
from datahound.catalog.catalog import Catalog, Entry, Table
from datahound.catalog.exports.clean_tables import find_clean_table
from datahound.catalog.exports.crawled import Job, Kept, Outcome
from datahound.catalog.exports.folder import MADE_BY, ExportFolder, claim_file
from datahound.catalog.exports.media import choose_media_type
from datahound.errors import InternalError
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
        draft.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, draft)


def _write_package(
    job: Job, draft: Path, placement: "_FilesInPlace | _LinkedFiles", outcome: Outcome
) -> None:
    with draft.open("w", encoding="utf-8") as to:
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
    catalog = job.catalog
    if catalog is None:
        raise InternalError("a data package is made from a catalogue")
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
