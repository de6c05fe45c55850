"""WARC files: what other tools write, what is damaged, and what it costs."""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from records_by_hand import URL
from records_by_hand import compress as member
from records_by_hand import make_record as record
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from datahound.archive import open_archive, open_warc
from datahound.archive.http_message import MAX_BODY
from datahound.errors import ArchiveError
from datahound.model import Fetch, Purpose, Response

SHARED = Path(__file__).parents[2].parent / "shared"
SUITE = SHARED / "suites" / "warc"
SITES = SHARED / "sites"
suite = pytest.mark.skipif(not SUITE.is_dir(), reason=f"no public suite at {SUITE}")
SUITE_NAMES = sorted(path.name for path in SUITE.glob("*") if path.suffix != ".index")
sites = pytest.mark.skipif(not SITES.is_dir(), reason=f"no recorded sites at {SITES}")
WITHOUT_PAGES = {
    "bad.arc",
    "example-digest.warc",
    "example-space-in-target-uri.warc.gz",
    "post-test.warc.gz",
}


def page(body, *headers):
    return b"\r\n".join([b"HTTP/1.1 200 OK", *headers, b"", body])


def opened(tmp_path, data, name="site.warc"):
    path = tmp_path / name
    path.write_bytes(data)
    return open_warc(path)


def body_of(archive, url=URL):
    answer = archive.get(Fetch(url))
    return answer.body if isinstance(answer, Response) else answer


@pytest.fixture
def copied(tmp_path):
    """A copy of a file of the suite, so that its index is nobody else's."""
    return lambda name: Path(shutil.copy(SUITE / name, tmp_path))


# What others write


@suite
@pytest.mark.parametrize("name", SUITE_NAMES)
def test_every_file_of_the_suite_opens_or_says_why_not(copied, name):
    """Good, truncated, wrongly chunked and wrongly named files: read, or one clear line."""
    path = copied(name)
    if name in WITHOUT_PAGES:
        with pytest.raises(ArchiveError, match=f"^{re.escape(str(path))}: [^\n]*$"):
            open_warc(path)
        return
    with open_warc(path) as archive:
        assert archive.seed.startswith("http")
        for fetch, answer in archive:
            assert archive.get(fetch) is not None
            assert isinstance(answer, Response)


@suite
@pytest.mark.parametrize(
    "name",
    [
        "example.warc",
        "example.warc.gz",
        "example.arc",
        "example.arc.gz",
        "example-iana.org-chunked.warc",
        "example-wget-bad-target-uri.warc.gz",
        "example-resource.warc.gz",
    ],
)
def test_good_files_are_read_as_warcio_reads_them(copied, name):
    """Status, type and decoded body of every response and resource equal those of warcio."""
    with open_warc(copied(name)) as archive:
        for url, status, content_type, body in by_warcio(SUITE / name):
            answer = archive.get(Fetch(url))
            assert (answer.status, answer.body) == (status, body)
            assert answer.headers["content-type"] == content_type


def by_warcio(path):
    with path.open("rb") as stream:
        for read in ArchiveIterator(stream, arc2warc=True):
            url = read.rec_headers.get_header("WARC-Target-URI", "")
            if read.rec_type not in ("response", "resource") or not url.startswith("http"):
                continue
            http = read.http_headers
            status = int(http.get_statuscode()) if http else 200
            content_type = (http or read.rec_headers).get_header("Content-Type")
            yield url, status, content_type, read.content_stream().read()


@suite
def test_a_file_compressed_as_one_piece_is_read(copied):
    """Where records can't be found by their offset, the file is unpacked once."""
    path = copied("example-bad-non-chunked.warc.gz")
    with open_warc(path) as archive:
        assert len(body_of(archive, "http://example.com/")) == 1270
    with open_warc(path) as archive:
        assert len(list(archive)) == 2


@suite
def test_spaces_in_urls_are_mended(copied):
    """A URL with spaces is found in its canonical form."""
    with open_warc(copied("example-space-in-url.arc")) as archive:
        assert "Examples%20From%20The%20Live%20Web" in archive.seed
        assert body_of(archive, archive.seed).startswith(b"<!doctype html>")


@suite
def test_requests_that_were_posts_answer_nobody(copied):
    """The answer to a POST is not the answer to a GET."""
    with pytest.raises(ArchiveError, match=r"post-test\.warc\.gz: holds no whole record"):
        open_warc(copied("post-test.warc.gz"))


class SmallSite(BaseHTTPRequestHandler):
    """Three pages, a redirect, and a chunked answer."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/a.html")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        bodies = {"/": b"<a href=a.html>a</a><a href=moved>m</a>", "/a.html": b"<p>A</p>"}
        body = bodies.get(self.path, b"none")
        self.send_response(200 if self.path in bodies else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))

    def log_message(self, *_):
        pass


@pytest.fixture
def small_site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), SmallSite)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
@pytest.mark.parametrize("compression", ["", "--no-warc-compression"])
def test_what_wget_records_is_read(small_site, tmp_path, compression):
    """A site recorded by wget: seed, pages, redirects and errors."""
    command = ["wget", "-q", "-r", "--tries=1", "--warc-file=site", compression, small_site]
    subprocess.run(list(filter(None, command)), cwd=tmp_path, check=False, timeout=60)
    (path,) = [p for p in tmp_path.iterdir() if p.name.startswith("site.warc")]
    with open_archive(str(path)) as archive:
        assert archive.seed == small_site
        assert body_of(archive, small_site + "a.html") == b"<p>A</p>"
        assert archive.get(Fetch(small_site + "a.html")).size == 8
        assert archive.get(Fetch(small_site + "moved")).status == 301
        assert archive.get(Fetch(small_site + "robots.txt")).status == 404


# warcio leaves its temporary files to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_warcio_writes_is_read(tmp_path):
    """Records of warcio, with revisits, HEADs and gzip, are read as what they were."""
    path = tmp_path / "site.warc.gz"
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="WARC/1.1")
        write_pair(writer, URL, "GET", gzip.compress(b"hello"), [("Content-Encoding", "gzip")])
        write_pair(writer, URL + "head", "HEAD", b"", [("Content-Length", "5")])
        write_pair(writer, URL + "form", "POST", b"posted", [])
        headers = StatusAndHeaders("200 OK", [("X-Seen", "again")], protocol="HTTP/1.0")
        revisit = writer.create_revisit_record(
            URL + "copy",
            digest=digest_of(path, out),
            refers_to_uri=URL,
            refers_to_date="2020-01-01T00:00:00Z",
            http_headers=headers,
        )
        writer.write_record(revisit)
    with open_archive(str(path)) as archive:
        assert body_of(archive) == b"hello"
        assert archive.get(Fetch(URL)).size == len(gzip.compress(b"hello"))
        assert archive.get(Fetch(URL + "head")) is None
        assert archive.get(Fetch(URL + "head", Purpose.PROBE)).headers["content-length"] == "5"
        assert archive.get(Fetch(URL + "form")) is None
        copy = archive.get(Fetch(URL + "copy"))
        assert (copy.body, dict(copy.headers)) == (b"hello", {"x-seen": "again"})
        assert archive.glance(URL + "copy").size == archive.glance(URL).size


def write_pair(writer, url, method, payload, headers):
    http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.0")
    response = writer.create_warc_record(
        url, "response", payload=io.BytesIO(payload), http_headers=http
    )
    request = writer.create_warc_record(
        url,
        "request",
        http_headers=StatusAndHeaders(f"{method} / HTTP/1.1", [], is_http_request=True),
    )
    writer.write_request_response_pair(request, response)


def digest_of(path, out):
    out.flush()
    with path.open("rb") as stream:
        return next(iter(ArchiveIterator(stream))).rec_headers.get_header("WARC-Payload-Digest")


def test_a_request_may_stand_before_or_behind_its_response(tmp_path):
    """A HEAD is told from a GET by its request record, whichever names the other."""
    request = b"HEAD / HTTP/1.1\r\n\r\n"
    before = record(request, URL + "a", "request", WARC_Record_ID="<r1>") + record(
        url=URL + "a", WARC_Record_ID="<r2>", WARC_Concurrent_To="<r1>"
    )
    behind = record(url=URL + "b", WARC_Record_ID="<r3>") + record(
        request, URL + "b", "request", WARC_Record_ID="<r4>", WARC_Concurrent_To="<r3>"
    )
    with opened(tmp_path, record() + before + behind) as archive:
        assert archive.get(Fetch(URL + "a")) is None
        assert archive.get(Fetch(URL + "b")) is None
        head = archive.get(Fetch(URL + "b", Purpose.PROBE))
        assert (head.status, head.size) == (200, len(b"HTTP/1.1 200 OK\r\n\r\n"))
        assert archive.get(Fetch(URL)) is not None


def test_a_revisit_without_its_original_is_an_answer_without_a_body(tmp_path):
    """Its headers are told, and that the body is missing; one without headers is left out."""
    bare = record(b"", URL + "bare", "revisit")
    with opened(tmp_path, record(page(b""), URL, "revisit") + bare) as archive:
        answer = archive.get(Fetch(URL))
        assert (answer.status, answer.body, answer.truncated) == (200, b"", True)
        assert archive.get(Fetch(URL + "bare")) is None


def test_a_page_that_was_not_modified_is_what_it_was(tmp_path):
    """A revisit with status 304 answers as its original."""
    unchanged = record(b"HTTP/1.1 304 Not Modified\r\n\r\n", URL, "revisit")
    with opened(tmp_path, record(page(b"old", b"A: b")) + unchanged) as archive:
        answer = archive.get(Fetch(URL))
        assert (answer.status, answer.body, dict(answer.headers)) == (200, b"old", {"a": "b"})
        assert archive.glance(URL)[1:4] == (200, "", 3)


# Sizes


def test_the_size_is_the_payload_as_sent(tmp_path):
    """Without chunk marks and before decoding; Content-Length only where the record is cut."""
    packed = gzip.compress(b"x" * 1000)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    head = (b"Transfer-Encoding: chunked", b"Content-Encoding: gzip")
    cut = page(b"beginning", b"Content-Length: 5000")
    data = record(page(chunked, *head))
    data += record(cut, URL + "cut", WARC_Truncated="length") + record(cut, URL + "lie")
    with opened(tmp_path, data) as archive:
        answer = archive.get(Fetch(URL))
        assert (len(answer.body), answer.size, answer.truncated) == (1000, len(packed), False)
        answer = archive.get(Fetch(URL + "cut"))
        assert (answer.body, answer.size, answer.truncated) == (b"beginning", 5000, True)
        answer = archive.get(Fetch(URL + "lie"))
        assert (answer.size, answer.truncated) == (9, False)
        sizes = [archive.glance(URL + name).size for name in ("", "cut", "lie")]
        assert sizes == [len(packed), 5000, 9]


@sites
def test_a_recorded_site_has_what_its_description_says(tmp_path):
    """uima: 1,844 pages, its start page, sizes from the headers; nothing is written beside it."""
    folder = tmp_path / "protected"
    folder.mkdir()
    shutil.copy(SITES / "uima.warc.gz", folder)
    folder.chmod(0o555)
    with open_archive(str(folder / "uima.warc.gz")) as archive:
        seen = [archive.glance(url) for url in {fetch.url for fetch, _ in archive}]
        found = Counter(g.content_type.split(";")[0] for g in seen if g.status == 200)
        assert (archive.name, archive.seed) == ("uima", "https://uima.apache.org/")
        assert found["text/html"] == 1844
        assert found["application/pdf"] == 33
        answer = archive.get(Fetch(archive.seed))
        assert (answer.size, len(answer.body)) == (20619, 11701)
        assert len(list(archive)) == 1884
        assert [file.name for file in folder.iterdir()] == ["uima.warc.gz"]


# Damage


@pytest.mark.parametrize("pack", [bytes, member], ids=["warc", "warc.gz"])
def test_a_file_cut_anywhere_gives_what_is_whole(tmp_path, pack):
    """Reading ignores a torn record and changes nothing; where nothing is whole, one line."""
    first, second = pack(record()), pack(record(url=URL + "2"))
    whole_from = len(first) if pack is member else len(first) - 4
    for end in range(1, len(first + second), 7):
        path = tmp_path / f"{end}.warc"
        path.write_bytes((first + second)[:end])
        try:
            with open_warc(path) as archive:
                assert body_of(archive) == b"body"
        except ArchiveError:
            assert end < whole_from
        assert path.read_bytes() == (first + second)[:end]


@pytest.mark.parametrize("pack", [bytes, member], ids=["warc", "warc.gz"])
def test_damage_in_the_middle_costs_one_record(tmp_path, pack):
    """Records behind a damaged one are found."""
    parts = [pack(record(url=f"{URL}{n}")) for n in range(3)]
    parts[1] = parts[1][:40] + b"\0garbage\0" + parts[1][60:]
    if pack is bytes:
        parts[1] = parts[1].replace(b"Content-Length: ", b"Content-Length: 9999")
    with opened(tmp_path, b"".join(parts)) as archive:
        assert [fetch.url for fetch, _ in archive] == [URL + "0", URL + "2"]


@pytest.mark.parametrize(
    "data",
    [b"", b"\n\n", b"GIF89a", b"\x1f\x8b", os.urandom(500), member(b"a,b\n1,2\n"), b"WARC/1.0"],
)
def test_what_is_no_warc_is_refused_in_one_line(tmp_path, data):
    """Empty, short, random or other files: one line with the name; nothing is left behind."""
    path = tmp_path / "wrong.warc.gz"
    path.write_bytes(data)
    with pytest.raises(ArchiveError, match=r"wrong\.warc\.gz: ") as error:
        open_warc(path)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == [path]


def test_a_bomb_does_not_fill_the_memory(tmp_path):
    """A record of a few hundred kilobytes that unpacks to 300 MB is cut, and its size is told."""
    packer = zlib.compressobj(wbits=31)
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    size = 300 << 20
    fields = f"WARC-Type: response\r\nWARC-Target-URI: {URL}\r\nContent-Length: {size + len(head)}"
    data = packer.compress(f"WARC/1.0\r\n{fields}\r\n\r\n".encode() + head)
    for _ in range(300):
        data += packer.compress(bytes(1 << 20))
    data += packer.compress(b"\r\n\r\n") + packer.flush()
    with opened(tmp_path, data, "bomb.warc.gz") as archive:
        answer = archive.get(Fetch(URL))
        assert (answer.size, answer.truncated) == (size, True)
        assert len(answer.body) <= MAX_BODY


# The index


def test_an_index_is_built_once_and_beside_the_file(tmp_path):
    """The second opening reads no record; a changed file is read again; progress is told."""
    told = []
    path = tmp_path / "site.warc"
    path.write_bytes(record())
    open_warc(path, lambda done, total: told.append((done, total))).close()
    assert told[-1] == (path.stat().st_size,) * 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["site.warc", "site.warc.index"]
    told.clear()
    open_warc(path, lambda *_: told.append(_)).close()
    assert not told
    path.write_bytes(record(page(b"new")))
    with open_warc(path) as archive:
        assert body_of(archive) == b"new"


def test_a_file_that_grew_is_read_from_where_it_ended(tmp_path):
    """What was appended by somebody is found, and what was there stays found."""
    path = tmp_path / "site.warc"
    path.write_bytes(record())
    open_warc(path).close()
    with path.open("ab") as file:
        file.write(record(url=URL + "new") + record(page(b"again")))
    with open_warc(path) as archive:
        assert body_of(archive, URL + "new") == b"body"
        assert body_of(archive) == b"again"
        assert len(list(archive)) == 3


def test_an_index_that_is_broken_is_made_again(tmp_path):
    """Garbage, or an index of another version, in its place is no trouble."""
    path = tmp_path / "site.warc"
    path.write_bytes(record())
    (tmp_path / "site.warc.index").write_bytes(b"SQLite format 3\0garbage" * 100)
    with open_warc(path) as archive:
        assert body_of(archive) == b"body"


def test_where_nothing_can_be_written_the_cache_is_used(tmp_path):
    """A folder marked read-only stays as it is, even for root."""
    folder = tmp_path / "sealed"
    folder.mkdir()
    (folder / "site.warc").write_bytes(record())
    folder.chmod(0o555)
    with open_warc(folder / "site.warc") as archive:
        assert body_of(archive) == b"body"
    assert [p.name for p in folder.iterdir()] == ["site.warc"]
    folder.chmod(0o755)


def test_where_not_even_a_cache_can_be_the_index_is_in_memory(tmp_path, monkeypatch):
    """A site is readable with no place for an index at all."""
    sealed = tmp_path / "sealed"
    sealed.mkdir()
    (sealed / "site.warc").write_bytes(record())
    (sealed / "datahound").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(sealed))
    (sealed / "datahound").chmod(0o555)
    sealed.chmod(0o555)
    with open_warc(sealed / "site.warc") as archive:
        assert body_of(archive) == b"body"
    sealed.chmod(0o755)
    (sealed / "datahound").chmod(0o755)


def test_several_processes_may_build_at_once(tmp_path):
    """Four that open a new file at the same time all read it, and one index is left."""
    path = tmp_path / "site.warc.gz"
    path.write_bytes(b"".join(member(record(url=f"{URL}{n}")) for n in range(2000)))
    code = (
        "import sys; from datahound.archive import open_archive\n"
        "print(sum(1 for _ in open_archive(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    assert [process.communicate(timeout=60)[0].strip() for process in running] == [b"2000"] * 4
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, path.name + ".index"]


def test_a_folder_is_one_archive_in_the_order_of_names(tmp_path):
    """The last file wins; files that are added later are found."""
    (tmp_path / "b.warc").write_bytes(record(page(b"second")))
    (tmp_path / "a.warc.gz").write_bytes(
        member(record(page(b"first"))) + member(record(url=URL + "a"))
    )
    (tmp_path / "notes.txt").write_text("not a WARC")
    with open_archive(str(tmp_path)) as archive:
        assert body_of(archive) == b"second"
        assert [answer.body for _, answer in archive] == [b"first", b"body", b"second"]
        assert archive.name == tmp_path.name
    (tmp_path / "c.warc").write_bytes(record(page(b"third")))
    with open_archive(str(tmp_path)) as archive:
        assert body_of(archive) == b"third"
    (tmp_path / "a.warc.gz").unlink()
    with open_archive(str(tmp_path)) as archive:
        assert [answer.body for _, answer in archive] == [b"second", b"third"]


def test_a_browsertrix_collection_is_its_archive_folder(tmp_path):
    """A folder without WARC files but with an `archive` of them is that archive."""
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "rec-1.warc.gz").write_bytes(member(record()))
    with open_archive(str(tmp_path)) as archive:
        assert body_of(archive) == b"body"


def test_the_robots_file_is_no_start_page(tmp_path):
    """Tools that ask for robots.txt first don't make it the seed."""
    data = record(url="dns:site.example") + record(url=URL + "robots.txt") + record()
    with opened(tmp_path, data) as archive:
        assert archive.seed == URL


def test_opening_an_indexed_file_is_quick(tmp_path):
    """Twenty thousand records: opened in a tenth of a second, a look-up in well under one."""
    path = tmp_path / "site.warc.gz"
    path.write_bytes(b"".join(member(record(url=f"{URL}{n}")) for n in range(20_000)))
    open_warc(path).close()
    begun = time.perf_counter()
    with open_warc(path) as archive:
        assert archive.get(Fetch(f"{URL}19999")) is not None
    assert time.perf_counter() - begun < 0.1
