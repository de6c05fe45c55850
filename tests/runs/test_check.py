"""A crawl folder is checked against itself, and repaired."""

import asyncio
import sqlite3

import pytest
from test_nothing_lost import PATHS as SITE
from test_nothing_lost import Website, check_files, crawl, records_of

from datahound.errors import UserError
from datahound.runs.check import Fault, check_folder, repair_folder
from datahound.store.writer import Store


@pytest.fixture
def folder(tmp_path):
    crawl(tmp_path / "a")
    return tmp_path / "a"


def repair(folder):
    """Repair a folder while its site is served; the faults before, those after, and the site."""
    site = Website(SITE)
    problems = check_folder(folder)

    async def run():
        async with site.served() as address:
            given = {"connect-to": address, "delay": 0}
            await asyncio.to_thread(repair_folder, folder, problems, given)

    asyncio.run(run())
    return {problem.fault for problem in problems}, check_folder(folder), site


def damage(path, share=0.5, length=64):
    raw = path.read_bytes()
    at = int(len(raw) * share)
    path.write_bytes(raw[:at] + b"\xff" * length + raw[at + length :])


def test_a_whole_folder_has_no_problem(folder):
    assert check_folder(folder) == []


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    with pytest.raises(UserError, match="no crawl has begun"):
        check_folder(tmp_path)


def test_files_that_are_missing_or_changed_are_fetched_again(folder):
    """Also where only the bytes differ and not the size."""
    kept = sorted((folder / "files").rglob("*.csv"))
    kept[0].unlink()
    kept[3].write_bytes(b"x" * kept[3].stat().st_size)
    faults, after, site = repair(folder)
    assert (faults, after) == ({Fault.FILE}, [])
    assert len([e for e in site.asked if e.path != "/robots.txt"]) == 2
    check_files(folder)


@pytest.mark.parametrize("how", ["deleted", "overwritten"])
def test_crawl_db_is_rebuilt_from_journal_and_files(folder, how):
    """Without a request for anything that is on the disk."""
    for path in folder.glob("crawl.db*"):
        path.unlink() if how == "deleted" else path.write_bytes(b"\xff" * 9000)
    faults, after, site = repair(folder)
    assert (faults, after) == ({Fault.DATABASE}, [])
    assert not [e for e in site.asked if e.path != "/robots.txt"]
    check_files(folder)
    with sqlite3.connect(folder / "crawl.db") as connection:
        assert connection.execute("SELECT count(*) FROM target").fetchone() == (24,)


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_a_damaged_journal_is_mended_by_asking_again(folder, share):
    journal = next((folder / "pages").glob("*.warc.gz"))
    _, starts = records_of(journal)
    raw = journal.read_bytes()
    at = starts[int(len(starts) * share)] + 20
    journal.write_bytes(raw[:at] + b"\xff" * 8 + raw[at + 8 :])
    faults, after, _ = repair(folder)
    assert (faults, after) == ({Fault.JOURNAL}, [])
    check_files(folder)


@pytest.mark.parametrize("is_seen_before", [False, True])
def test_an_empty_database_is_rebuilt(folder, is_seen_before):
    """Also where it was opened since, which writes the tables of a crawl into it."""
    for part in folder.glob("crawl.db*"):
        part.unlink()
    (folder / "crawl.db").touch()
    if is_seen_before:
        Store(folder / "crawl.db").close()
    faults, after, site = repair(folder)
    assert (faults, after) == ({Fault.DATABASE}, [])
    assert not site.asked
    check_files(folder)


def test_a_journal_that_is_missing_is_said(folder):
    """Nothing brings its pages back but another crawl, and no file is fetched because of it."""
    for part in (folder / "pages").iterdir():
        part.unlink()
    faults, after, site = repair(folder)
    assert faults == {Fault.NO_JOURNAL}
    assert [problem.fault for problem in after] == [Fault.NO_JOURNAL]
    assert not site.asked


def test_a_damaged_catalogue_is_made_again(folder):
    (folder / "catalog.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    faults, after, _ = repair(folder)
    assert (faults, after) == ({Fault.CATALOGUE}, [])
    with sqlite3.connect(folder / "catalog.db") as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 3
