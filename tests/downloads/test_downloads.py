"""Bodies become files: whole, once, under their own names, whatever happens on the way."""

import asyncio
import gzip
import hashlib
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from manners import (
    CHUNKED,
    CSV,
    FILE,
    OK,
    endless,
    file_that_breaks,
    packed,
    packed_zeros,
    raw,
    sized,
    then_hang,
    zeros,
)
from websites import SEED, MemoryLedger, Website, data, error, page

from datahound.downloads.downloads import Downloads
from datahound.errors import StorageError
from datahound.http.client import Web
from datahound.model import Fetch, Unfinished
from datahound.settings import DownloadSettings, WebSettings

QUICK = {
    "delay_seconds": 0.0,
    "idle_seconds": 0.3,
    "headers_seconds": 0.3,
    "retry_seconds": 0.01,
    "ignore_robots": True,
}
FILES = {"max_file_size": 1_000_000, "retry_seconds": 0.01, "max_retries": 2}


@asynccontextmanager
async def downloading(site, folder, ledger=None, **settings):
    """A site that is served, and what keeps its files."""
    ledger = ledger or MemoryLedger()
    downloads = Downloads(folder, ledger, DownloadSettings(**{**FILES, **settings}))
    async with (
        site.served() as address,
        Web(SEED, WebSettings(**QUICK, connect_to=address), downloads) as web,
    ):
        yield web, downloads, ledger


def fetch_all(paths, folder, *names, ledger=None, **settings):
    """Fetch these paths and wait for their files; the site and the ledger."""
    site = Website(paths)

    async def run():
        async with downloading(site, folder, ledger, **settings) as (web, downloads, kept):
            for name in names or paths:
                answer = await web.get(Fetch(SEED.rstrip("/") + name))
                assert answer.status == 200
            await downloads.close(wait=True)
            return kept

    kept = asyncio.run(run())
    left = [path for path in folder.glob(".parts/*") if len(path.stem) == 20]
    assert not left or kept.parts or kept.failures
    return site, kept


def only(ledger):
    (record,) = ledger.files.values()
    return record


def test_a_file_is_kept_whole(tmp_path):
    """Its bytes, their sum, its type and date; and nothing else is left in the folder."""
    body = os.urandom(300_000)
    answer = data(body, last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
    _, ledger = fetch_all({"/d/x.csv": answer}, tmp_path)
    record = only(ledger)
    assert (tmp_path / record.file).read_bytes() == body
    assert record.file == "www.site.example/d/x.csv"
    assert record.sha256 == hashlib.sha256(body).hexdigest()
    assert (record.bytes, record.mime_type, record.status) == (300_000, "text/csv", "complete")
    assert record.last_modified == "Mon, 01 Jan 2024 00:00:00 GMT"
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["x.csv"]


@pytest.mark.parametrize(
    ("manner", "ranges"),
    [
        (file_that_breaks(), ["", "bytes=100000-"]),
        (file_that_breaks(times=2), ["", "bytes=100000-", "bytes=200000-"]),
        (file_that_breaks(ranges=False), ["", "bytes=100000-"]),
        (file_that_breaks(tag='W/"weak"'), ["", ""]),
    ],
    ids=["continued", "continued twice", "server begins again", "weak tag begins again"],
)
def test_an_interrupted_body_is_continued(manner, ranges, tmp_path):
    """With Range where the server allows it, from the start where not; whole in the end."""
    site, ledger = fetch_all({"/x.csv": manner}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == FILE
    assert [exchange.headers.get("range", "") for exchange in site.asked] == ranges
    assert ledger.failures
    assert not any(final for _, _, final in ledger.failures)


def test_a_file_that_changed_meanwhile_is_begun_again(tmp_path):
    """The halves of two versions are never put together."""

    async def manner(exchange):
        first = exchange.times == 1
        await file_that_breaks(tag='"1"' if first else '"2"', body=FILE if first else FILE[::-1])(
            exchange
        )

    _, ledger = fetch_all({"/x.csv": manner}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == FILE[::-1]


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        (raw(OK, CSV, "Content-Length: 99\r\n\r\nhalf"), "body cut short or garbled"),
        (then_hang(OK, CSV, "Content-Length: 99\r\n\r\nhalf"), "timed out"),
        (raw(OK, CSV, "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf"), "body cut short or garbled"),
        (
            sized(packed(FILE)[:-100], CSV, "Content-Encoding: gzip\r\n"),
            "broken encoding: cut short",
        ),
    ],
)
def test_what_stays_incomplete_is_recorded_and_never_passed_off_as_whole(manner, reason, tmp_path):
    """It is tried again, then given up with a reason; there is no file."""
    _, ledger = fetch_all({"/x.csv": manner}, tmp_path)
    assert not ledger.files
    assert {r for _, r, _ in ledger.failures} == {reason}
    assert [final for _, _, final in ledger.failures] == [False, False, True]
    assert not list(tmp_path.rglob("*.csv"))


@pytest.mark.parametrize(
    "manner",
    [
        raw(OK, CSV, f"Content-Length: {10**13}\r\n\r\n", b"x" * 1000),
        endless(OK, CSV, "\r\n", piece=b"x" * 60_000),
        sized(packed(bytes(5_000_000)), CSV, "Content-Encoding: gzip\r\n"),
    ],
    ids=["by its length", "by what came", "unpacked"],
)
def test_what_is_too_large_is_recorded_and_not_kept(manner, tmp_path):
    """By what it says, by what comes, or by what it unpacks to."""
    _, ledger = fetch_all({"/x.csv": manner}, tmp_path)
    assert (only(ledger).status, only(ledger).file) == ("too large", "")
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_a_file_packed_for_the_way_is_unpacked(tmp_path):
    """Content-Encoding belongs to the way, not to the file."""
    body = sized(packed(b"a,b\n" * 9999), CSV, "Content-Encoding: gzip\r\n")
    _, ledger = fetch_all({"/x.csv": body}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == b"a,b\n" * 9999
    assert only(ledger).bytes == 39996


@pytest.mark.parametrize("mime_type", ["application/x-gzip", "text/csv"])
def test_a_gz_stays_a_gz(mime_type, tmp_path):
    """Some servers call what is in a .gz its encoding; whoever asks for the .gz wants that."""
    body = gzip.compress(b"a,b\n")
    answer = data(body, mime_type, content_encoding="gzip")
    _, ledger = fetch_all({"/x.csv.gz": answer}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == body


def test_what_is_said_to_be_packed_and_is_not_is_kept_as_it_is(tmp_path):
    answer = data(b"a,b\n1,2\n", content_encoding="gzip")
    _, ledger = fetch_all({"/x.csv": answer}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == b"a,b\n1,2\n"
    assert only(ledger).note == "announced as packed with gzip, and was not"


@pytest.mark.parametrize(
    "body", [page().body, b"\xef\xbb\xbf\n<!-- hi --><HTML>", b"<?xml version='1.0'?>\n<html>", b""]
)
def test_a_page_in_place_of_a_file_is_noticed(body, tmp_path):
    """A login or an error page called CSV is kept, and marked."""
    _, ledger = fetch_all({"/x.csv": data(body)}, tmp_path)
    assert only(ledger).status == "suspicious"
    assert only(ledger).note


def test_data_is_not_suspicious(tmp_path):
    """A cell that begins like a tag is no page."""
    _, ledger = fetch_all({"/x.csv": data(b"<5,>5\n"), "/y.csv": data(b"headers,body\n")}, tmp_path)
    assert {record.status for record in ledger.files.values()} == {"complete"}


def test_the_same_bytes_are_stored_once(tmp_path):
    """The second URL points to the first one's file."""
    paths = {"/a.csv": data(b"1,2\n"), "/b.csv": data(b"1,2\n"), "/c.csv": data(b"3,4\n")}
    _, ledger = fetch_all(paths, tmp_path)
    a, b, c = (ledger.files[SEED + name] for name in ("a.csv", "b.csv", "c.csv"))
    assert a.file == b.file != c.file
    assert sorted([a.status, b.status]) == ["complete", "duplicate"]
    assert len(list(tmp_path.rglob("*.csv"))) == 2


def test_no_file_is_ever_written_over(tmp_path):
    """Names that differ by case alone, or that a folder has, get a number; strangers' files too."""
    (tmp_path / "www.site.example").mkdir()
    (tmp_path / "www.site.example/mine.csv").write_text("mine")
    paths = {
        "/mine.csv": data(b"theirs"),
        "/a.csv": data(b"1"),
        "/A.csv": data(b"2"),
        "/a.CSV": data(b"3"),
        "/x.csv": data(b"4"),
        "/x.csv/y.csv": data(b"5"),
        "/D/1.csv": data(b"6"),
        "/d/2.csv": data(b"7"),
    }
    _, ledger = fetch_all(paths, tmp_path)
    assert (tmp_path / "www.site.example/mine.csv").read_text() == "mine"
    names = [record.file for record in ledger.files.values()]
    assert len({name.casefold() for name in names}) == len(paths)
    for path, answer in paths.items():
        record = ledger.files[SEED.rstrip("/") + path]
        assert (tmp_path / record.file).read_bytes() == answer.body


def test_a_file_left_by_a_crash_is_taken_for_the_same(tmp_path):
    """Named, but not yet in the ledger: fetched again, it is found to be there."""
    paths = {"/a.csv": data(b"1,2\n")}
    fetch_all(paths, tmp_path)
    _, ledger = fetch_all(paths, tmp_path)
    assert only(ledger).file == "www.site.example/a.csv"
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 1


def test_a_stop_leaves_a_part_that_is_continued_later(tmp_path):
    """Closing without waiting is quick, whatever the server does; resuming asks for the rest."""
    ledger = MemoryLedger()
    whole = file_that_breaks(times=0)

    async def manner(exchange):
        if exchange.times == 1:
            head = f'ETag: "1"\r\nContent-Length: {len(FILE)}\r\n\r\n'
            await then_hang(OK, CSV, head, FILE[:270_000])(exchange)
        else:
            await whole(exchange)

    site = Website({"/x.csv": manner})

    async def stopped():
        async with downloading(site, tmp_path, ledger) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            while downloads.bytes_received < 270_000:
                await asyncio.sleep(0.01)
            await asyncio.wait_for(downloads.close(wait=False), 1)

    async def resumed():
        async with downloading(site, tmp_path, ledger) as (_, downloads, _):
            await downloads.resume(ledger.unfinished())
            await downloads.close(wait=True)

    asyncio.run(stopped())
    assert ledger.unfinished()
    assert not ledger.files
    asyncio.run(resumed())
    assert (tmp_path / only(ledger).file).read_bytes() == FILE
    assert site.asked[-1].headers["range"] == "bytes=270000-"
    assert not list((tmp_path / ".parts").iterdir())


def test_a_stop_before_anything_began_leaves_nothing_open(tmp_path):
    """A body that was taken and not yet looked at is let go of."""
    site = Website({"/x.csv": then_hang(OK, CSV, "Content-Length: 9\r\n\r\n")})

    async def run():
        async with downloading(site, tmp_path) as (web, downloads, ledger):
            await web.get(Fetch(SEED + "x.csv"))
            await asyncio.wait_for(downloads.close(wait=False), 1)
            assert not downloads.under_way
            assert ledger.unfinished()
            await asyncio.sleep(0.1)
            assert not site.open_connections

    asyncio.run(run())


def test_a_target_fetched_twice_is_no_duplicate_of_itself(tmp_path):
    """After a crash a target may be fetched again though its file is in the ledger."""
    ledger, paths = MemoryLedger(), {"/x.csv": data(b"1,2\n")}
    fetch_all(paths, tmp_path, ledger=ledger)
    fetch_all(paths, tmp_path, ledger=ledger)
    assert only(ledger).status == "complete"


def test_a_body_that_was_broken_may_come_unbroken_next_time(tmp_path):
    """Packed and broken at first, plain later: the file is what came in the end."""

    async def manner(exchange):
        broken = sized(packed(FILE)[:-100], CSV, "Content-Encoding: gzip\r\n")
        await (broken if exchange.times == 1 else sized(FILE, CSV))(exchange)

    _, ledger = fetch_all({"/x.csv": manner}, tmp_path)
    assert (tmp_path / only(ledger).file).read_bytes() == FILE


def test_an_answer_that_is_only_a_part_is_not_taken_for_the_whole(tmp_path):
    """206 without having been asked for a range: asked again, then given up."""
    head = "HTTP/1.1 206 P\r\nContent-Range: bytes 0-3/9\r\nContent-Length: 4\r\n"
    site, ledger = Website({"/x.csv": raw(head, CSV, "\r\n1234")}), MemoryLedger()

    async def run():
        async with downloading(site, tmp_path, ledger) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            await downloads.close(wait=True)

    asyncio.run(run())
    assert not ledger.files
    assert ledger.failures[-1] == (SEED + "x.csv", "can't be continued", True)


def test_a_range_of_thousands_of_digits_fails_one_file_only(tmp_path):
    """Python makes no number of so many digits: that ended the crawl."""

    async def beyond(exchange):
        if "range" in exchange.headers:
            total = "Content-Range: bytes */" + "9" * 5000
            await exchange.send("HTTP/1.1 416 R\r\n", total, "\r\nContent-Length: 0\r\n\r\n")
        else:
            await exchange.send(OK, CSV, 'ETag: "1"\r\nContent-Length: 99\r\n\r\n', b"a,b\n")

    site, ledger = Website({"/x.csv": beyond, "/y.csv": data(b"1,2\n")}), MemoryLedger()

    async def run():
        async with downloading(site, tmp_path, ledger) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            await web.get(Fetch(SEED + "y.csv"))
            await downloads.close(wait=True)

    asyncio.run(run())
    assert set(ledger.files) == {SEED + "y.csv"}
    reasons = [reason for _, reason, _ in ledger.failures]
    assert "can't be continued" in reasons
    assert not [reason for reason in reasons if "internal" in reason]


def test_chunks_that_bring_no_bytes_are_given_up(tmp_path):
    """Extensions of chunks without end keep a connection busy: the body is idle all the same."""
    head = (OK, CSV, CHUNKED, "\r\n4\r\na,b\n\r\n5;")
    extended = endless(*head, piece=b"x" * 4000, pause=0.05)
    site, ledger = Website({"/x.csv": extended, "/y.csv": data(b"1,2\n")}), MemoryLedger()

    async def run():
        async with downloading(site, tmp_path, ledger) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            await web.get(Fetch(SEED + "y.csv"))
            await downloads.close(wait=True)

    asyncio.run(asyncio.wait_for(run(), 30))
    assert set(ledger.files) == {SEED + "y.csv"}
    assert len(site.requests("/x.csv")) == 1 + FILES["max_retries"]


def test_a_ledger_that_fails_stops_the_crawl(tmp_path):
    """Whatever goes wrong in the background is told to whoever fetches next."""

    class Broken(MemoryLedger):
        def finished(self, _):
            raise StorageError("crawl.db can't be written")

    site = Website({"/x.csv": data(b"1"), "/y.csv": data(b"2")})

    async def run():
        async with downloading(site, tmp_path, Broken()) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            while downloads.under_way:
                await asyncio.sleep(0.01)
            with pytest.raises(StorageError, match=r"crawl\.db"):
                await web.get(Fetch(SEED + "y.csv"))

    asyncio.run(run())


def test_what_was_only_listed_can_be_fetched_later(tmp_path):
    """Without a part, a body is simply fetched."""
    site, ledger = Website({"/x.csv": data(b"1,2\n"), "/gone.csv": error(404)}), MemoryLedger()

    async def run():
        async with downloading(site, tmp_path, ledger) as (_, downloads, _):
            await downloads.resume([Unfinished(SEED + "x.csv"), Unfinished(SEED + "gone.csv")])
            await downloads.close(wait=True)

    asyncio.run(run())
    assert (tmp_path / only(ledger).file).read_bytes() == b"1,2\n"
    assert ledger.failures == [(SEED + "gone.csv", "status 404", True)]


def test_a_part_that_is_complete_needs_no_request(tmp_path):
    """A crash between the last byte and the name costs nothing but the naming."""
    ledger, site = MemoryLedger(), Website({"/x.csv": file_that_breaks(times=0)})

    async def run():
        async with downloading(site, tmp_path, ledger) as (_, downloads, _):
            part = downloads._part_of(SEED + "x.csv")
            part.parent.mkdir()
            part.write_bytes(FILE)
            headers = f'{{"content-type": "text/csv", "content-length": "{len(FILE)}"}}'
            note = f'{{"url": "{SEED}x.csv", "headers": {headers}}}'
            part.with_suffix(".json").write_text(note)
            await downloads.resume([Unfinished(SEED + "x.csv", part.name)])
            await downloads.close(wait=True)

    asyncio.run(run())
    assert (tmp_path / only(ledger).file).read_bytes() == FILE
    assert not site.asked


def test_too_many_at_once_make_the_crawl_wait(tmp_path):
    """At most so many bodies are open; a fetch of one more waits until one is done."""
    # Not of a type that is looked into on its way.
    head = (OK, "Content-Type: application/zip\r\n", "Content-Length: 9\r\n\r\n1")
    paths = {f"/{n}.zip": then_hang(*head) for n in range(4)}
    site = Website(paths)

    async def run():
        limits = {"at_once": 1, "per_host": 1, "max_waiting": 1, "max_retries": 0}
        async with downloading(site, tmp_path, **limits) as (web, downloads, ledger):
            most = 0
            for n in range(4):
                await web.get(Fetch(f"{SEED}{n}.zip"))
                most = max(most, downloads.under_way)
            await downloads.close(wait=True)
            return most, len(ledger.failures)

    assert asyncio.run(run()) == (2, 4)


def test_a_disk_that_can_not_be_written_stops_the_crawl(tmp_path):
    """One line that says where and why; the body stays unfinished, so that it is fetched later."""
    folder = tmp_path / "files"
    folder.write_text("a file where a folder should be")
    site, ledger = Website({"/x.csv": data(b"1"), "/y.csv": data(b"2")}), MemoryLedger()

    async def run():
        async with downloading(site, folder, ledger) as (web, downloads, _):
            await web.get(Fetch(SEED + "x.csv"))
            while downloads.under_way:
                await asyncio.sleep(0.01)
            with pytest.raises(StorageError, match="files can't be kept"):
                await web.get(Fetch(SEED + "y.csv"))
            with pytest.raises(StorageError):
                await downloads.close(wait=True)

    asyncio.run(run())
    assert ledger.unfinished() == [Unfinished(SEED + "x.csv", ledger.parts[SEED + "x.csv"])]


CHILD = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from websites import SEED, MemoryLedger
from datahound.downloads.downloads import Downloads
from datahound.http.client import Web
from datahound.model import Fetch
from datahound.settings import DownloadSettings, WebSettings

async def run():
    ledger = MemoryLedger()
    downloads = Downloads(Path({folder!r}), ledger, DownloadSettings())
    settings = WebSettings(delay_seconds=0, ignore_robots=True, connect_to={address!r})
    async with Web(SEED, settings, downloads) as web:
        await web.get(Fetch(SEED + "x.csv"))
        await downloads.close(True)
    (record,) = ledger.files.values()
    # Not getrusage: its peak is inherited from the process that started this one.
    lines = Path("/proc/self/status").read_text().splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    print(record.status, record.bytes, peak)

asyncio.run(run())
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read the peak from")
@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_memory_does_not_depend_on_the_size_of_a_file(encoding, tmp_path):
    """1 GB raises the peak by less than 32 MB over 1 KB, also when it is packed for the way."""
    small = _peak_kilobytes(1 << 10, encoding, tmp_path / "small")
    large = _peak_kilobytes(1 << 30, encoding, tmp_path / "large")
    assert large - small < 32 << 10


def _peak_kilobytes(size, encoding, folder):
    site = Website({"/x.csv": packed_zeros(size) if encoding else zeros(size)})
    tests = str(Path(__file__).parents[1])

    async def run():
        async with site.served() as address:
            code = CHILD.format(tests=tests, folder=str(folder), address=address)
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-c", code, stdout=subprocess.PIPE
            )
            return (await child.communicate())[0].decode()

    status, received, peak = asyncio.run(run()).split()
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    assert (status, int(received)) == ("complete", size)
    return int(peak)


def test_files_that_drip_are_put_off_and_do_not_hold_up_others(tmp_path):
    """Twelve of them fill every place; a good file comes in all the same, and each has a reason."""
    drip = endless(OK, CSV, "Content-Length: 99999\r\n\r\n", piece=b"x", pause=0.05)
    slow = [f"/slow{number}" for number in range(12)]
    paths = {**dict.fromkeys(slow, drip), "/good": data(b"1,2")}
    _, ledger = fetch_all(
        paths, tmp_path, *slow, "/good", slow_seconds=0.2, min_bytes_per_second=1000, max_retries=1
    )
    assert [url for url, record in ledger.files.items() if record.file] == [SEED + "good"]
    ended = {url: reason for url, reason, final in ledger.failures if final}
    assert ended == {SEED.rstrip("/") + name: "slower than 1000 bytes per second" for name in slow}


def test_files_that_last_long_give_their_places_to_others(tmp_path, monkeypatch):
    """Quick enough to be no drip, and without end: the good file does not wait for them."""
    monkeypatch.setattr("datahound.downloads.downloads._LONG_SECONDS", 0.1)
    begun = asyncio.Event()

    async def slow(exchange):
        await exchange.send(OK, CSV, f"\r\n{exchange.path}")
        # Until the good file is asked for: without a place for it, for ever.
        while not begun.is_set():
            await exchange.send("x")
            await asyncio.sleep(0.05)

    async def good(exchange):
        begun.set()
        await exchange.send(OK, CSV, "Content-Length: 3\r\n\r\n1,2")

    names = [f"/slow{number}" for number in range(12)]
    paths = {**dict.fromkeys(names, slow), "/good": good}
    _, ledger = fetch_all(paths, tmp_path, *names, "/good", max_waiting=1)
    assert len([record for record in ledger.files.values() if record.file]) == 13
    assert not ledger.failures


def test_unpacked_bytes_count_against_the_bytes_of_all_files(tmp_path):
    """A file of a few kilobytes that unpacks to megabytes is not kept, and leaves nothing."""
    paths = {"/a": data(b"x" * 600), "/b": packed_zeros(900_000)}
    _, ledger = fetch_all(paths, tmp_path, "/a", "/b", max_total_bytes=100_000)
    assert [record.bytes for record in ledger.files.values() if record.file] == [600]
    assert ledger.failures == [(SEED + "b", "unpacks to more than the bytes left", True)]
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in left) < 10_000


def test_only_our_own_files_are_cleared_away(tmp_path):
    """Also where somebody has put a link to another folder in place of the one for parts."""
    other, files = tmp_path / "other", tmp_path / "files"
    other.mkdir()
    files.mkdir()
    (other / "thesis.odt").write_text("years of work")
    (other / f"{'0' * 20}.part").write_text("left by a crash")
    (files / ".parts").symlink_to(other)
    fetch_all({"/a.csv": data(b"1,2\n")}, files)
    assert [path.name for path in other.iterdir()] == ["thesis.odt"]
    assert (files / "www.site.example" / "a.csv").exists()
