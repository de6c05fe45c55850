"""Nothing is lost: damage to the journal, to files and to the ledger is found, said and mended."""

import asyncio
import gzip
import shutil
import sqlite3
import time

import pytest
from websites import SEED, Website, data, page

from datahound.report.phrases import Cause
from datahound.runs.options import make_options
from datahound.runs.run import Run

NUMBER = 24
FILES = {f"/{number}.csv": data(b"a,%d\n" % number * (number + 1)) for number in range(NUMBER)}
PATHS = {
    "/": page("/p0", "/p1", "/p2", "/p3"),
    **{f"/p{n}": page(*list(FILES)[6 * n : 6 * n + 6]) for n in range(4)},
    **FILES,
}


def crawl(folder, going=Run.go, paths=None, watch=None, **given):
    """Crawl the site into a folder: how it ended, the run and the site."""
    site = Website(paths or PATHS)

    async def run():
        async with site.served() as address:
            given.setdefault("connect-to", address)
            options = make_options(SEED, {"output": str(folder), "delay": 0, "seed": 1, **given})
            one = Run(options, watch=watch, checkpoint_seconds=0.0)
            return await going(one), one

    return *asyncio.run(run()), site


def check_files(folder):
    """Every file is there, whole, and the ledger says so."""
    with sqlite3.connect(folder / "crawl.db") as connection:
        rows = connection.execute("SELECT url, state, path FROM file").fetchall()
    assert {url for url, *_ in rows} == {SEED.rstrip("/") + path for path in FILES}
    for url, state, path in rows:
        assert state == "complete"
        kept = (folder / "files" / path).read_bytes()
        assert kept == FILES["/" + url.rpartition("/")[2]].body


def stop_after(requests):
    def watch(run, _events):
        if run.crawl.tally.requests >= requests:
            run.stop()

    return watch


def records_of(journal):
    """Where each gzip member of a journal begins."""
    raw = journal.read_bytes()
    starts = [at for at in range(len(raw)) if raw[at : at + 3] == b"\x1f\x8b\x08"]
    return raw, [*starts, len(raw)]


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
@pytest.mark.parametrize("keep_index", [True, False])
def test_a_damaged_record_in_the_middle_of_the_journal_is_mended(tmp_path, share, keep_index):
    """Without a checkpoint, the crawl is told again; every target gets its file all the same."""
    crawl(tmp_path / "a", watch=stop_after(20))
    folder = tmp_path / "a"
    journal = next((folder / "pages").glob("*.warc.gz"))
    raw, starts = records_of(journal)
    place = int(len(starts) * share)
    middle = (starts[place] + starts[place + 1]) // 2
    journal.write_bytes(raw[:middle] + b"\xff" * 20 + raw[middle + 20 :])
    if not keep_index:
        for index in (folder / "pages").glob("*.index*"):
            index.unlink()
    with sqlite3.connect(folder / "crawl.db") as connection:
        connection.execute("DELETE FROM state")
        connection.execute("DELETE FROM known")
        connection.execute("DELETE FROM file")
    shutil.rmtree(folder / "files", ignore_errors=True)
    ended, run, _ = crawl(folder)
    assert ended.cause is Cause.EXHAUSTED
    assert any("journal" in remark for remark in run.remarks)
    check_files(folder)


def test_fetch_finds_the_targets_behind_a_damaged_record(tmp_path):
    """What the journal still has is told by URL, and its files are fetched."""
    folder = tmp_path / "a"
    crawl(folder, **{"list-only": True})
    journal = next((folder / "pages").glob("*.warc.gz"))
    raw, starts = records_of(journal)
    at = starts[len(starts) // 2] + 30
    journal.write_bytes(raw[:at] + b"\xff" * 8 + raw[at + 8 :])
    with sqlite3.connect(folder / "crawl.db") as connection:
        connection.execute("DELETE FROM state")
        connection.execute("DELETE FROM known")
    crawl(folder, Run.fetch)
    with sqlite3.connect(folder / "crawl.db") as connection:
        (targets,) = connection.execute("SELECT count(*) FROM target").fetchone()
        (files,) = connection.execute("SELECT count(*) FROM file WHERE state='complete'").fetchone()
    assert (targets > 0, files) == (True, NUMBER)


@pytest.mark.parametrize("going", [Run.go, Run.fetch])
def test_files_that_were_deleted_or_cut_are_fetched_again(tmp_path, going):
    """By the same command, although the crawl was finished."""
    crawl(tmp_path / "a")
    kept = sorted(path for path in (tmp_path / "a" / "files").rglob("*.csv"))
    kept[0].unlink()
    kept[5].write_bytes(b"cut")
    _, run, site = crawl(tmp_path / "a", going)
    check_files(tmp_path / "a")
    assert any("missing or changed" in remark for remark in run.remarks)
    asked = [exchange.path for exchange in site.asked if exchange.path != "/robots.txt"]
    assert sorted(asked) == sorted(f"/{path.name}" for path in (kept[0], kept[5]))
    _, _, site = crawl(tmp_path / "a")
    assert not site.asked


def test_a_folder_that_is_deleted_ends_the_crawl_at_once(tmp_path):
    """One line, few requests more, and nothing that the next crawl would refuse."""
    folder, done = tmp_path / "a", []

    def watch(run, _events):
        if run.crawl.tally.requests >= 8 and not done:
            done.append(run.crawl.tally.requests)
            shutil.rmtree(folder)

    begun = time.monotonic()
    ended, run, _ = crawl(folder, watch=watch, delay=0.2)
    assert (ended.cause, ended.status) == (Cause.FOLDER_GONE, 2)
    assert run.crawl.tally.requests < 20
    assert time.monotonic() - begun < 8
    assert not folder.exists()


def test_little_free_disk_stops_the_crawl_with_a_reason(tmp_path):
    ended, *_ = crawl(tmp_path / "a", delay=0.2, set={"downloads.min_free_disk": 1 << 60})
    assert (ended.cause, ended.status) == (Cause.DISK_LOW, 1)
    assert "must stay free" in ended.reason
    ended, *_ = crawl(tmp_path / "a")
    assert ended.cause is Cause.EXHAUSTED
    check_files(tmp_path / "a")


def test_the_bytes_of_all_files_count_unpacked(tmp_path):
    """In the real ledger, also over several runs."""
    big = data(gzip.compress(bytes(3 << 20)), content_encoding="gzip")
    paths = {"/": page("/a.csv", "/b.csv"), "/a.csv": data(b"1,2"), "/b.csv": big}
    crawl(tmp_path / "a", paths=paths, **{"max-bytes": "1MB"})
    with sqlite3.connect(tmp_path / "a" / "crawl.db") as connection:
        rows = dict(connection.execute("SELECT url, state || ': ' || coalesce(note, '') FROM file"))
    assert rows[f"{SEED}a.csv"] == "complete: "
    assert rows[f"{SEED}b.csv"] == "failed: unpacks to more than the bytes left"
