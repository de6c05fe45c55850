"""Partial files: what survives a crash, and what is discarded."""

import asyncio
import gzip
import hashlib
import json
import os

import pytest

from datahound.downloads.transfer import PartialFile, TooLarge, run_in_thread
from datahound.errors import StorageError

URL = "https://a.example/data.csv"
HEADERS = {"etag": '"1"', "content-length": "6", "server": "x"}


def begun(tmp_path, data=b"abc", url=URL):
    part = PartialFile(tmp_path / ".parts" / "x.part", url)
    part.begin(HEADERS)
    part.append(data)
    return part


def recovered(tmp_path, url=URL):
    part = PartialFile(tmp_path / ".parts" / "x.part", url)
    part.recover()
    return part


def test_recovery_after_a_crash(tmp_path):
    """Bytes, their hash and the headers that a download needs are there again."""
    begun(tmp_path).close()
    part = recovered(tmp_path)
    assert (part.size, part.beginning) == (3, b"abc")
    assert part.headers == {"etag": '"1"', "content-length": "6"}
    part.append(b"def")
    part.seal()
    assert part.path.read_bytes() == b"abcdef"
    assert part.sha256.hexdigest() == hashlib.sha256(b"abcdef").hexdigest()


def test_bytes_of_another_url_are_not_used(tmp_path):
    """Two URLs might share the hash in a file name."""
    begun(tmp_path).close()
    assert recovered(tmp_path, URL + "?other").size == 0


@pytest.mark.parametrize("note", ["", "{", "[]", '{"url": 1}', json.dumps({"url": URL})])
def test_a_broken_note_starts_again(tmp_path, note):
    """A crash may cut the note short."""
    part = begun(tmp_path)
    part.close()
    part.path.with_suffix(".json").write_text(note)
    assert recovered(tmp_path).size == 0


def test_a_finished_file_is_not_appended_to(tmp_path):
    """A second link means that the file was placed before the crash."""
    part = begun(tmp_path)
    part.close()
    os.link(part.path, tmp_path / "placed.csv")
    again = recovered(tmp_path)
    assert again.size == 0
    again.append(b"other")
    again.close()
    assert (tmp_path / "placed.csv").read_bytes() == b"abc"


def test_decoding(tmp_path):
    """Size, hash and beginning are those of the decoded bytes; the limit holds for them."""
    part = begun(tmp_path, gzip.compress(b"0" * 9000))
    part.seal()
    part.unpack("gzip", None)
    assert (part.size, part.result.stat().st_size, len(part.beginning)) == (9000, 9000, 4096)
    with pytest.raises(TooLarge):
        part.unpack("gzip", 8999)


def test_nothing_is_left_behind(tmp_path):
    """Neither bytes nor note nor decoded bytes."""
    part = begun(tmp_path, gzip.compress(b"0"))
    part.seal()
    part.unpack("gzip", None)
    part.remove()
    assert not list(part.path.parent.iterdir())


def test_an_empty_body_is_a_file(tmp_path):
    """Sealing creates it."""
    part = PartialFile(tmp_path / "x.part", URL)
    part.begin({})
    part.seal()
    assert part.path.read_bytes() == b""


def test_disk_errors_name_the_file():
    """In one line, as an error of ours."""

    def fail():
        raise OSError(28, "No space left on device", "x.part")

    with pytest.raises(StorageError, match=r"x\.part: .*No space left"):
        asyncio.run(run_in_thread(fail))


def test_a_cancelled_write_is_finished_first():
    """Otherwise a thread would still write to a file that was closed meanwhile."""
    written = []

    async def main():
        started, release = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def write():
            loop.call_soon_threadsafe(started.set)
            asyncio.run_coroutine_threadsafe(release.wait(), loop).result(5)
            written.append(True)

        task = asyncio.create_task(run_in_thread(write))
        await started.wait()
        task.cancel()
        loop.call_later(0.05, release.set)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert written

    asyncio.run(main())
