"""Recording into WARC files: crashes, repairs, and what other tools think of the result."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from datahound.archive import open_warc, record_warc
from datahound.errors import ArchiveError
from datahound.model import Failure, Fetch, Postponed, Purpose, Response

SEED = "https://site.example/"
NAMES = ["site.warc", "site.warc.gz"]


def response(url, body=b"<p>page</p>"):
    return Response(url, 200, {"content-type": "text/html"}, body, len(body))


def exchange(number):
    url = f"{SEED}{number}"
    return Fetch(url), response(url, b"%d" % number * 20)


def record_some(path, numbers):
    with record_warc(path, SEED) as archive:
        for number in numbers:
            archive.put(*exchange(number))


def urls_in(path):
    with open_warc(path) as archive:
        return [fetch.url.removeprefix(SEED) for fetch, _ in archive]


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_torn_at_any_byte_is_repaired(tmp_path, name):
    """Cut the last record anywhere: all others stay, and what is put next is read by anybody."""
    whole = tmp_path / "whole" / name
    whole.parent.mkdir()
    record_some(whole, [1, 2])
    before = whole.stat().st_size
    record_some(whole, [3])
    data = whole.read_bytes()
    for end in range(before, len(data)):
        path = tmp_path / name
        path.write_bytes(data[:end])
        record_some(path, [4])
        assert urls_in(path) in (["1", "2", "4"], ["1", "2", "3", "4"])
        assert [url.removeprefix(SEED) for url in targets(path)] == urls_in(path)
        path.unlink()


def targets(path):
    with path.open("rb") as stream:
        return [
            record.rec_headers.get_header("WARC-Target-URI")
            for record in ArchiveIterator(stream)
            if record.rec_type == "response"
        ]


@pytest.mark.parametrize("name", NAMES)
def test_reading_a_torn_recording_changes_nothing(tmp_path, name):
    """Opening for reading leaves the torn tail where it is."""
    path = tmp_path / name
    record_some(path, [1, 2])
    torn = path.read_bytes()[:-9]
    path.write_bytes(torn)
    assert urls_in(path) == ["1"]
    assert path.read_bytes() == torn


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_process_loses_nothing_that_it_put(tmp_path, name):
    """After kill -9, everything up to the last put is there, and recording goes on."""
    path = tmp_path / name
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path; from test_recorder import *\n"
        "archive = record_warc(Path(sys.argv[1]), SEED)\n"
        "for number in range(10**6):\n"
        "    archive.put(*exchange(number)); print(number, flush=True)\n"
    )
    command = [sys.executable, "-c", code, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) > 700:
                break
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    last = int(rest[-1]) if rest and rest[-1].isdigit() else int(line)
    with record_warc(path, SEED) as archive:
        recorded = [fetch.url for fetch, _ in archive]
        assert recorded[:last] == [f"{SEED}{number}" for number in range(last)]
        archive.put(*exchange(-1))
        assert archive.get(Fetch(f"{SEED}5")) == exchange(5)[1]
    assert urls_in(path)[-1] == "-1"
    assert sorted(p.name for p in tmp_path.iterdir()) == [name, name + ".index"]


@pytest.mark.parametrize("name", NAMES)
def test_what_we_write_is_valid_for_others(tmp_path, name):
    """warcio checks every digest; a warcinfo comes first, a HEAD has its request beside it."""
    path = tmp_path / name
    head = Response(SEED + "h", 200, {"content-length": "5", "x": "ü"}, b"", 40)
    packed = Response(SEED + "z", 200, {"content-encoding": "gzip"}, b"unpacked", 3)
    with record_warc(path, SEED) as archive:
        archive.put(Fetch(SEED), response(SEED))
        archive.put(Fetch(SEED + "h", Purpose.PROBE), head)
        archive.put(Fetch(SEED + "f"), Failure(SEED + "f", "timeout"))
        archive.put(Fetch(SEED + "p"), Postponed(SEED + "p"))
        archive.put(Fetch(SEED + "z"), packed)
    checker = Checker(type("Arguments", (), {"inputs": [str(path)], "verbose": False}))
    checker.process_all()
    assert checker.exit_value == 0
    with path.open("rb") as stream:
        records = [(r.rec_type, r.content_stream().read()) for r in ArchiveIterator(stream)]
    kinds = ["warcinfo", "response", "request", "response", "metadata", "metadata", "response"]
    assert [kind for kind, _ in records] == kinds
    assert (records[1][1], records[6][1]) == (b"<p>page</p>", b"unpacked")


def test_a_recording_keeps_its_seed(tmp_path):
    """The seed stands in the file; going on with another one doesn't change it."""
    record_some(tmp_path / "site.warc.gz", [1])
    with record_warc(tmp_path / "site.warc.gz", "https://other.example/") as archive:
        assert archive.seed == SEED


@pytest.mark.parametrize("start", [1, 2, 3, 4])
def test_a_damaged_index_is_made_again(tmp_path, start):
    """One page of it at a time, but for the first: what was recorded is all there."""
    path = tmp_path / "site.warc.gz"
    record_some(path, range(300))
    index = tmp_path / "site.warc.gz.index"
    data = bytearray(index.read_bytes())
    assert len(data) > 5 * 4096
    data[start * 4096 : (start + 1) * 4096] = b"\xff" * 4096
    index.write_bytes(bytes(data))
    record_some(path, [300])
    assert urls_in(path) == [str(number) for number in range(301)]


def test_only_one_process_records(tmp_path):
    """A second recorder is refused; a reader is not."""
    path = tmp_path / "site.warc.gz"
    with record_warc(path, SEED) as archive:
        archive.put(*exchange(1))
        with pytest.raises(ArchiveError, match="another process is recording"):
            record_warc(path, SEED)
        assert urls_in(path) == ["1"]
        archive.put(*exchange(2))
        assert urls_in(path) == ["1", "2"]
    assert urls_in(path) == ["1", "2"]


def test_recording_goes_on_in_what_others_began(tmp_path):
    """A WARC file from elsewhere is appended to; both parts answer."""
    path = tmp_path / "site.warc"
    block = b"HTTP/1.1 200 OK\r\n\r\ntheirs"
    head = f"WARC-Type: response\r\nWARC-Target-URI: {SEED}\r\nContent-Length: {len(block)}"
    path.write_bytes(f"WARC/1.0\r\n{head}\r\n\r\n".encode() + block)
    record_some(path, [1])
    assert urls_in(path) == ["", "1"]
    with open_warc(path) as archive:
        assert archive.get(Fetch(SEED)).body == b"theirs"


def test_a_misnamed_recording_goes_on_as_it_began(tmp_path):
    """Plain records in a file called .gz stay plain, and the other way round."""
    for made, named in (("a.warc", "b.warc.gz"), ("c.warc.gz", "d.warc")):
        record_some(tmp_path / made, [1])
        (tmp_path / made).rename(tmp_path / named)
        record_some(tmp_path / named, [2])
        assert urls_in(tmp_path / named) == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("site.warc", b"my precious notes", "holds no whole record"),
        ("site.warc.gz", b"my precious notes", "holds no whole record"),
        ("site.txt", b"", "named .warc or .warc.gz"),
        ("missing/site.warc", None, "can't be written: No such file"),
    ],
)
def test_what_is_no_recording_is_refused_and_left_alone(tmp_path, name, data, said):
    """A file that isn't ours to repair is never cut; nothing is left beside it."""
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ArchiveError, match=said):
        record_warc(path, SEED)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == ([] if data is None else [data])


def test_recording_is_not_slow(tmp_path):
    """Small answers are put in a few hundred microseconds each."""
    with record_warc(tmp_path / "site.warc.gz", SEED) as archive:
        begun = time.perf_counter()
        for number in range(1000):
            archive.put(*exchange(number))
        assert time.perf_counter() - begun < 3
