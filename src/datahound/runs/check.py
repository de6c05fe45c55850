"""Check a crawl folder against itself, and repair what is damaged or lost."""

import asyncio
import csv
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from datahound.archive import count_damage, cut_damage, open_warc
from datahound.errors import DatahoundError, UserError
from datahound.model import FileRecord
from datahound.runs.finish import update_catalog
from datahound.runs.options import Options, make_options, options_of
from datahound.runs.outcome import Ended
from datahound.runs.resume import claim_identity, has_identity
from datahound.runs.run import Run
from datahound.store.folder import Folder
from datahound.store.writer import Store, find_damage

_CATALOGUE = "catalog.db"


class Fault(Enum):
    """What can be wrong with a folder; the value is the phrase for it."""

    DATABASE = "crawl.db is damaged"
    JOURNAL = "the journal is damaged"
    NO_JOURNAL = "the journal is missing"
    FILE = "a file is missing or changed"
    TARGET = "a target has neither a file nor a reason"
    CATALOGUE = "catalog.db is damaged"


_FETCHES_NOTHING = {Fault.CATALOGUE, Fault.NO_JOURNAL}
"""Faults that requests to the website can't repair."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault, and where it is."""

    fault: Fault
    detail: str

    def __str__(self) -> str:
        return f"{self.fault.value}: {self.detail}"


def check_folder(path: Path) -> list[Problem]:
    """Everything that is wrong with the folder of a crawl; every file is read."""
    folder = Folder(path)
    if not folder.pages.is_dir() and not folder.database.exists():
        raise UserError(f"{path}: no crawl has begun in this folder")
    # What a crawl is writing looks damaged to a reader: half a record, a file without a row.
    if folder.is_claimed():
        raise UserError(f"{path}: another process is crawling into it")
    return list(_find_problems(folder))


def repair_folder(path: Path, problems: list[Problem], given: Mapping[str, Any]) -> Ended | None:
    """Rebuild damaged databases and fetch lost files again; how the fetching ended, if any."""
    faults = {problem.fault for problem in problems}
    ended = None
    if Fault.JOURNAL in faults:
        # First: whatever follows reads the journal.
        for journal in Folder(path).pages.glob("*.warc.gz"):
            cut_damage(journal)
    if Fault.DATABASE in faults:
        options = _rebuild_database(Folder(path), given)
    elif faults - _FETCHES_NOTHING:
        options = options_of(path, given)
        _lose_changed(Folder(path))
    if faults - _FETCHES_NOTHING:
        ended = asyncio.run(_fetch_again(options, faults))
    if Fault.CATALOGUE in faults:
        for part in path.glob(f"{_CATALOGUE}*"):
            part.unlink()
        update_catalog(path, again=True)
    return ended


async def _fetch_again(options: Options, faults: set[Fault]) -> Ended:
    # Records that a damaged journal has lost are requested again, which only a crawl does.
    return await (Run(options).go() if Fault.JOURNAL in faults else Run(options).fetch())


def _find_problems(folder: Folder) -> Iterator[Problem]:
    journals = sorted(folder.pages.glob("*.warc.gz"))
    for journal in journals:
        if places := count_damage(journal):
            yield Problem(Fault.JOURNAL, f"{journal.name}, in {places} places")
    damage = find_damage(folder.database) or _find_emptiness(folder)
    if damage:
        yield Problem(Fault.DATABASE, damage)
    else:
        yield from _find_lost(folder, has_journal=bool(journals))
    catalogue = folder.path / _CATALOGUE
    if catalogue.exists() and (damage := find_damage(catalogue)):
        yield Problem(Fault.CATALOGUE, damage)


def _find_emptiness(folder: Folder) -> str:
    """Why crawl.db has nothing about the crawl whose journal is there; or ''."""
    if not folder.database.stat().st_size:
        return "the file is empty"
    with closing(Store(folder.database)) as store:
        return "" if has_identity(store) else "it belongs to no crawl"


def _find_lost(folder: Folder, *, has_journal: bool) -> Iterator[Problem]:
    with closing(Store(folder.database)) as store:
        if not has_journal and store.has_requests:
            advice = "a crawl into another folder gets its pages again"
            yield Problem(Fault.NO_JOURNAL, advice)
        ledger = store.ledger()
        kept = ledger.kept()
        for file, change in ledger.find_changes(folder.files):
            yield Problem(Fault.FILE, f"{file.path} ({change})")
        # A crawl with --list-only keeps no files, and needs none.
        for target in ledger.untried() if kept else ():
            yield Problem(Fault.TARGET, target.url)


def _lose_changed(folder: Folder) -> None:
    with folder.claimed(), closing(Store(folder.database)) as store:
        ledger = store.ledger()
        ledger.lose(ledger.find_changes(folder.files))


def _rebuild_database(folder: Folder, given: Mapping[str, Any]) -> Options:
    """Replace crawl.db by one that knows the options and the files; the journal has the rest."""
    options = _recall_options(folder, given)
    for part in list(folder.path.glob("crawl.db*")):
        # Renamed and not deleted: a user may know how to get more out of it.
        part.rename(part.with_name(f"damaged-{part.name}"))
    # The folder is ours although it has no crawl.db, so this is made before it is claimed.
    with closing(Store(folder.database)) as store:
        claim_identity(store, options)
        for record in _read_listed(folder):
            store.ledger().adopt(record, folder.files)
    return options


def _recall_options(folder: Folder, given: Mapping[str, Any]) -> Options:
    """The options of the crawl from what is left of crawl.db, else from its journal's seed."""
    try:
        return options_of(folder.path, given)
    except DatahoundError:
        journals = sorted(folder.pages.glob("*.warc.gz"))
        if not journals:
            raise UserError(
                f"{folder.path}: there is no journal to rebuild crawl.db from"
            ) from None
    with open_warc(journals[0]) as archive:
        return make_options(archive.seed, {**given, "output": str(folder.path)})


def _read_listed(folder: Folder) -> Iterator[FileRecord]:
    """The files that datasets.csv lists."""
    try:
        with folder.datasets.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                path = (row.get("file") or "").removeprefix("files/")
                size = row.get("bytes") or ""
                if path and ".." not in path.split("/") and row.get("sha256") and size.isdigit():
                    names = ("mime_type", "last_modified", "state", "note")
                    said = [row.get(name) or "" for name in names]
                    yield FileRecord(row["url"], path, int(size), row["sha256"], *said)
    except (OSError, UnicodeDecodeError, csv.Error):
        return
