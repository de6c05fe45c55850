"""Every bad manner of a server ends in the outcome that a user would want."""

import asyncio
import time
import zlib
from pathlib import Path
from urllib.parse import quote

import pytest
from manners import (
    CHUNKED,
    CSV,
    HTML,
    LINKS,
    OK,
    at_first,
    chunk,
    endless,
    head_with_a_body,
    packed,
    raw,
    says_close_and_stays,
    says_keep_alive_and_closes,
    sends_more_than_it_said,
    sized,
    sized_wrongly,
    slowly,
    storm,
    then_hang,
    then_reset,
)
from websites import SEED, MemoryLedger, Website, data, error, page, redirect

from datahound.archive import MemoryArchive
from datahound.crawl.crawl import Crawl
from datahound.downloads.downloads import Downloads
from datahound.engines.live import live
from datahound.events import Fetched, Skipped, Stop, TargetFound
from datahound.http.client import Web
from datahound.model import Failure, Fetch, Purpose, Response, Skip
from datahound.settings import DownloadSettings, WebSettings
from datahound.strategies import make_strategy
from datahound.web.targets import kind_of

COMPRESSED = Path(__file__).parents[3] / "shared/suites/compressed"
LIMIT = 200_000
QUICK = {
    "delay_seconds": 0.0,
    "max_page_bytes": LIMIT,
    "max_header_bytes": 16_000,
    "connect_seconds": 0.6,
    "headers_seconds": 0.6,
    "idle_seconds": 0.6,
    "page_seconds": 1.2,
    "max_retries": 1,
    "retry_seconds": 0.01,
    "max_delay_seconds": 0.05,
    "robots_retry_seconds": 0.02,
    "retry_after_cap": 0.1,
    "long_rest_seconds": 0.05,
}
FILES = DownloadSettings(max_file_size=1_000_000, retry_seconds=0.01, max_retries=2)


def coded(name, body):
    return sized(body, HTML, f"Content-Encoding: {name}\r\n")


BIG_PAGE = LINKS + bytes(range(32, 127)) * 300
# Each one: the manner, and what a visit of it must be told to have brought.
MANNERS = {
    # Hanging
    "hang before headers": (then_hang(), "failed: timed out"),
    "hang in status line": (then_hang("HTTP/1.1 2"), "failed: timed out"),
    "hang in headers": (then_hang(OK, "Content-Type: te"), "failed: timed out"),
    "hang after headers": (then_hang(OK, HTML, "Content-Length: 9\r\n\r\n"), "failed: timed out"),
    "hang in body": (then_hang(OK, HTML, "Content-Length: 999\r\n\r\n", LINKS), "200 page cut 1"),
    "drip headers": (endless(OK, "X: ", piece=b"x", pause=0.02), "failed: timed out"),
    "drip body": (endless(OK, HTML, "\r\n", LINKS, piece=b" ", pause=0.02), "200 page cut 1"),
    # Hanging up
    "drop": (raw(), "failed: connection lost"),
    "reset": (then_reset(), "failed: connection lost"),
    "drop in headers": (raw(OK, "Content-Ty"), "failed: connection lost"),
    "drop in body": (raw(OK, HTML, "Content-Length: 999\r\n\r\n", LINKS), "200 page cut 1"),
    "reset in body": (then_reset(OK, HTML, "Content-Length: 999\r\n\r\n", LINKS), "200 page cut 1"),
    "drop once": (at_first(raw(), 1, page("/x")), "200 page whole 1"),
    # Lengths
    "endless page": (endless(OK, HTML, "\r\n", LINKS, piece=b" " * 9999), "200 page cut 1"),
    "length too small": (
        slowly(OK, HTML, f"Content-Length: {len(LINKS)}\r\n\r\n", LINKS, b"more" * 99),
        "200 page whole 1",
    ),
    # aiohttp reads on before it hands over what it has: known, and not ours to mend.
    "length too small, at once": (
        sized_wrongly(LINKS, -5),
        "failed: not HTTP: Bad status line",
    ),
    "length missing": (raw(OK, HTML, "\r\n", LINKS), "200 page whole 1"),
    "length huge": (raw(OK, HTML, f"Content-Length: {10**18}\r\n\r\n", LINKS), "200 page cut 1"),
    "length beyond numbers": (
        raw(OK, HTML, f"Content-Length: {'9' * 40}\r\n\r\n", LINKS),
        "failed: not HTTP: Content-Length overflow",
    ),
    "length negative": (
        raw(OK, HTML, "Content-Length: -1\r\n\r\n", LINKS),
        "failed: not HTTP: Invalid character in Content-Length",
    ),
    "length in words": (
        raw(OK, HTML, "Content-Length: many\r\n\r\n", LINKS),
        "failed: not HTTP: Invalid character in Content-Length",
    ),
    "lengths that differ": (
        raw(OK, HTML, "Content-Length: 5\r\nContent-Length: 42\r\n\r\n", LINKS),
        "failed: not HTTP: Duplicate Content-Length",
    ),
    "nothing at all": (sized(b"", HTML), "200 page whole 0"),
    # Chunks
    "chunk size in words": (
        raw(OK, HTML, CHUNKED, "\r\nmany\r\n", LINKS),
        "failed: not HTTP: Invalid character in chunk size",
    ),
    "chunks cut": (raw(OK, HTML, CHUNKED, "\r\n", chunk(LINKS), b"ff\r\nab"), "200 page cut 1"),
    "chunks without end": (
        endless(OK, HTML, CHUNKED, "\r\n", chunk(LINKS), piece=chunk(b" " * 5000)),
        "200 page cut 1",
    ),
    "chunk of a terabyte": (
        raw(OK, HTML, CHUNKED, "\r\n", chunk(LINKS), b"%x\r\nab" % 10**12),
        "200 page cut 1",
    ),
    "chunks and length": (
        raw(OK, HTML, CHUNKED, "Content-Length: 3\r\n\r\n", chunk(LINKS), b"0\r\n\r\n"),
        "failed: not HTTP: Content-Length can't be present with Transfer-Encoding",
    ),
    "chunk extension of a megabyte": (
        raw(OK, HTML, CHUNKED, "\r\n5;", b"x" * (1 << 20), b"\r\nhello\r\n0\r\n\r\n"),
        "200 page whole 0",
    ),
    # Encodings
    "gzip broken": (
        coded("gzip", b"\x1f\x8b\x08\x00garbage"),
        "failed: broken encoding: cut short",
    ),
    "gzip cut": (coded("gzip", packed(BIG_PAGE)[:-20]), "200 page cut 1"),
    "gzip with a wrong sum": (
        coded("gzip", packed(LINKS)[:-8] + b"\0" * 8),
        "failed: broken encoding: incorrect data check",
    ),
    "gzip of nothing": (coded("gzip", b""), "200 page whole 0"),
    "gzip that is none": (coded("gzip", LINKS), "200 page whole 1"),
    "deflate without wrapping": (coded("deflate", zlib.compress(LINKS)[2:-4]), "200 page whole 1"),
    "brotli broken": (coded("br", b"\xff\xff not brotli"), "failed: broken encoding: Invalid Data"),
    "zstd broken": (
        coded("zstd", b"\x28\xb5\x2f\xfd not zstd"),
        "failed: broken encoding: Data corruption detected",
    ),
    "encoding unknown": (coded("sdch", b"what?"), "failed: unknown encoding 'sdch'"),
    "packed nine times": (
        coded(", ".join(["gzip"] * 9), packed(LINKS)),
        "failed: encoded too many times",
    ),
    "gzip bomb": (coded("gzip", packed(LINKS + bytes(50 << 20))), "200 page cut 1"),
    "gzip bomb in gzip": (
        coded("gzip, gzip", packed(packed(LINKS + bytes(90 << 20)))),
        "200 page cut 1",
    ),
    # Redirects
    "redirect to itself": (redirect("/redirect to itself"), "302 other whole 0"),
    "redirect nowhere": (
        raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
        "302 other whole 0",
    ),
    "redirect to garbage": (redirect("http://[::::/\x7f"), "302 other whole 0"),
    "redirect to a file": (redirect("file:///etc/passwd"), "302 other whole 0"),
    "redirect that hangs": (
        then_hang(
            "HTTP/1.1 302 Found\r\nLocation: /good-1.csv\r\n", HTML, "Content-Length: 9\r\n\r\n"
        ),
        "302 other cut 0",
    ),
    # Headers
    "types twice": (
        sized(LINKS, HTML, "Content-Type: text/html; charset=utf-8\r\n"),
        "200 page whole 1",
    ),
    "places twice": (
        raw("HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
        "302 other whole 0",
    ),
    "header without colon": (
        sized(LINKS, "garbage\r\n", HTML),
        "failed: not HTTP: Invalid header token",
    ),
    "header with NUL": (
        sized(LINKS, HTML, "X-A: a\x00b\r\n"),
        "failed: not HTTP: Invalid HTTP header",
    ),
    "header in Latin-1": (sized(LINKS, HTML, "X-A: caf\xe9\r\n"), "200 page whole 1"),
    "header folded": (sized(LINKS, HTML, "X-A: a\r\n b\r\n"), "200 page whole 1"),
    "header of a megabyte": (
        sized(LINKS, HTML, f"X-A: {'a' * (1 << 20)}\r\n"),
        "failed: headers too large",
    ),
    "headers by the thousand": (
        sized(LINKS, HTML, *["X-A: a\r\n"] * 9000),
        "failed: headers too large",
    ),
    "headers without end": (
        endless(OK, HTML, piece=b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
        "failed: headers too large",
    ),
    "no headers": (raw(OK, "\r\n", LINKS), "200 other whole 0"),
    "bare line feeds": (
        raw("HTTP/1.1 200 OK\nContent-Type: text/html\n\n", LINKS),
        "200 page whole 1",
    ),
    # Status lines and versions
    "HTTP/0.9": (raw(LINKS), "failed: not HTTP: Bad status line"),
    "HTTP/1.0": (raw("HTTP/1.0 200 OK\r\n", HTML, "\r\n", LINKS), "200 page whole 1"),
    "HTTP/9.9": (
        raw("HTTP/9.9 200 OK\r\n", HTML, "\r\n", LINKS),
        "failed: not HTTP: Bad status line",
    ),
    "SSH instead": (raw("SSH-2.0-OpenSSH_9.6\r\n"), "failed: not HTTP: Bad status line"),
    "status without reason": (raw("HTTP/1.1 200\r\n", HTML, "\r\n", LINKS), "200 page whole 1"),
    "status 999": (raw("HTTP/1.1 999 Denied\r\n", HTML, "\r\n", LINKS), "999 other whole 0"),
    "status 0": (
        raw("HTTP/1.1 0 No\r\n", HTML, "\r\n", LINKS),
        "failed: not HTTP: Bad status line",
    ),
    "continue without end": (endless(piece=b"HTTP/1.1 100 Continue\r\n\r\n"), "failed: timed out"),
    "204 with a body": (
        raw("HTTP/1.1 204 No\r\n", HTML, "\r\n", LINKS),
        "failed: not HTTP: Bad status line",
    ),
    # Types
    "page called CSV": (sized(LINKS, CSV), "200 target whole 0"),
    "CSV called page": (sized(b"a,b\n1,2\n", HTML), "200 page whole 0"),
    "wrong charset": (
        sized(LINKS, "Content-Type: text/html; charset=utf-16\r\n"),
        "200 page whole 1",
    ),
    "charset unheard of": (
        sized(LINKS, "Content-Type: text/html; charset=nonsense\r\n"),
        "200 page whole 1",
    ),
    "type missing": (sized(LINKS), "200 other cut 0"),
    "type garbage": (sized(LINKS, "Content-Type: ;;;//\r\n"), "200 other cut 0"),
    "film": (
        endless(OK, "Content-Type: video/mp4\r\n\r\n", piece=bytes(9999)),
        "200 other whole 0",
    ),
    # Too many requests
    "429 once": (at_first(storm, 1, page("/x")), "200 page whole 1"),
    "429 always": (storm, "postponed"),
    "503 with a date": (error(503, retry_after="Thu, 01 Jan 1970 00:00:00 GMT"), "postponed"),
    "503 until next year": (error(503, retry_after="31536000"), "postponed"),
    "503 with garbage": (error(503, retry_after="soon"), "postponed"),
    "502 once": (at_first(raw("HTTP/1.1 502 B\r\n\r\n"), 1, page("/x")), "200 page whole 1"),
    "500": (error(500), "500 other whole 0"),
    # Keeping connections
    "keep-alive that closes": (says_keep_alive_and_closes, "200 page whole 1"),
    "more than it said": (sends_more_than_it_said, "200 page whole 1"),
    "close that stays": (says_close_and_stays, "200 page whole 1"),
}
PATHS = {f"/{quote(name)}": manner for name, (manner, _) in MANNERS.items()}


def told(answer):
    """An answer in a few words: what it is, whether it is whole, how many links it has."""
    if isinstance(answer, Failure):
        return f"failed: {answer.reason}"
    if not isinstance(answer, Response):
        return "postponed"
    whole = "cut" if answer.truncated else "whole"
    kind = kind_of(answer).value
    return f"{answer.status} {kind} {whole} {answer.body.count(b'href') if kind == 'page' else 0}"


async def visit(site, path, purpose=Purpose.VISIT, *, patient=False, **settings):
    """The answer to one fetch, and that it left nothing behind."""
    async with site.served() as address:
        choices = {**QUICK, "connect_to": address, "ignore_robots": True, **settings}
        async with Web(SEED, WebSettings(**choices)) as web:
            answer = await web.get(Fetch(SEED.rstrip("/") + path, purpose, patient))
            assert web.stats.requests == len(site.asked)
        assert asyncio.all_tasks() - {asyncio.current_task()} <= site.tasks
    return answer


@pytest.mark.parametrize("name", MANNERS)
def test_a_bad_manner_ends_in_the_outcome_that_a_user_wants(name):
    """Within the limits, without an exception, every request counted and every socket closed."""
    site = Website(PATHS)
    begun = time.monotonic()
    answer = asyncio.run(visit(site, f"/{quote(name)}"))
    assert told(answer) == MANNERS[name][1]
    assert getattr(answer, "requests", len(site.asked)) == len(site.asked)
    assert len(getattr(answer, "body", b"")) <= LIMIT
    assert time.monotonic() - begun < 5


def test_there_are_enough_bad_manners():
    """At least the forty that were promised."""
    assert len(MANNERS) >= 40


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip", "zstd"])
def test_bombs_of_the_public_suite_are_cut(encoding):
    """What would unpack to megabytes is cut at the limit."""
    path = COMPRESSED / f"bomb-{encoding}.bin"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    site = Website({"/bomb": coded(encoding, path.read_bytes())})
    answer = asyncio.run(visit(site, "/bomb"))
    assert (answer.truncated, len(answer.body)) == (True, LIMIT)


@pytest.mark.parametrize("name", ["429 always", "503 with a date", "503 until next year"])
def test_the_patient_wait_and_then_take_what_there_is(name):
    """When nothing else is left to do, a host that stays busy is waited for, then recorded."""
    answer = asyncio.run(visit(Website(PATHS), f"/{quote(name)}", patient=True))
    assert (answer.status, answer.requests) == (int(name[:3]), 2)


@pytest.mark.parametrize(
    ("manner", "outcome"),
    [
        (head_with_a_body, "failed: not HTTP: Bad status line"),
        (then_hang(), "failed: timed out"),
        (raw(), "failed: connection lost"),
        (error(405), "405"),
        (raw("HTTP/1.1 200 OK\r\n\r\n"), "200"),
        (raw(OK, CSV, f"Content-Length: {10**15}\r\n\r\n"), "200"),
    ],
)
def test_a_probe_survives_bad_manners(manner, outcome):
    """A HEAD ends as well as a GET does; its size is that of the headers."""
    answer = asyncio.run(visit(Website({"/x": manner}), "/x", Purpose.PROBE))
    assert outcome in (told(answer), told(answer)[:3])
    assert answer.size < 200


def test_requests_spent_before_a_rest_are_counted_later():
    """A postponed fetch costs nothing now; the answer that comes in the end counts it all."""
    site = Website({"/x": at_first(storm, 3, page())})

    async def run():
        async with site.served() as address:
            settings = WebSettings(**QUICK, connect_to=address, ignore_robots=True)
            async with Web(SEED, settings) as web:
                return [await web.get(Fetch(SEED + "x")) for _ in range(2)]

    first, second = asyncio.run(run())
    assert told(first) == "postponed"
    assert (second.status, second.requests) == (200, 4)


GOOD = {f"/good-{n}.csv": data(b"a,b\n%d,2\n" % n) for n in range(20)}
HOSTS = {
    "hang": then_hang(),
    "late": at_first(then_hang(), 1, data(b"", "text/plain")),
    "broken": error(500),
    "busy": error(429),
    "html": page("/x", text="User-agent: nobody"),
    "huge": sized(b"User-agent: *\nDisallow: /private\n" + b"# \n" * (10 << 18), CSV),
    "loop": redirect("/robots.txt"),
    "garbage": raw(b"\xff\xfe\x00 garbage"),
    "closed": data(b"User-agent: *\nDisallow: /\n", "text/plain"),
}
UNREADABLE = {"hang", "broken", "busy", "garbage"}


def whole_site():
    """Every bad manner on one site, good targets among them, and hosts with odd robots.txt."""
    names = list(PATHS)
    per_page = 6
    pages = {}
    for start in range(0, len(names), per_page):
        links = [*names[start : start + per_page], f"/good-{start // per_page}.csv"]
        pages[f"/page-{start // per_page}"] = page(*links)
    hosts = [f"http://{name}.site.example/file.csv" for name in HOSTS]
    rest = [path for path in GOOD if int(path[6:-4]) >= len(pages)]
    special = {f"{name}.site.example/robots.txt": answer for name, answer in HOSTS.items()}
    files = {f"{name}.site.example/file.csv": data(name.encode()) for name in HOSTS}
    return Website({**PATHS, **GOOD, **pages, **special, **files, "/": page(*hosts, *pages, *rest)})


@pytest.mark.parametrize("strategy", ["bfs", "sb-classifier"])
def test_a_crawl_over_all_bad_manners_collects_every_good_target(strategy, tmp_path):
    """It ends, says what became of every URL, and every good file is there, whole."""
    site, ledger, events = whole_site(), MemoryLedger(), []

    async def run():
        downloads = Downloads(tmp_path, ledger, FILES)
        async with site.served() as address:
            settings = WebSettings(**QUICK, connect_to=address)
            async with Web(SEED, settings, downloads) as web:
                await live(crawl, MemoryArchive(SEED), web, events.extend)
                await downloads.close(wait=True)
            assert web.stats.requests == len(site.asked)

    crawl = Crawl(SEED, make_strategy(strategy))
    asyncio.run(run())
    assert crawl.stopped is Stop.EXHAUSTED
    open_hosts = {f"http://{name}.site.example/file.csv" for name in HOSTS} - {
        f"http://{name}.site.example/file.csv" for name in (*UNREADABLE, "closed")
    }
    expected = {SEED.rstrip("/") + path for path in GOOD} | open_hosts
    found = {event.link.url for event in events if isinstance(event, TargetFound)}
    assert expected <= found
    complete = {r.url for r in ledger.files.values() if r.status in ("complete", "duplicate")}
    assert expected <= complete
    for path, answer in GOOD.items():
        assert (tmp_path / ledger.files[SEED.rstrip("/") + path].file).read_bytes() == answer.body
    skipped = {(event.link.url, event.reason) for event in events if isinstance(event, Skipped)}
    for name in UNREADABLE:
        assert (f"http://{name}.site.example/file.csv", Skip.ROBOTS_UNAVAILABLE) in skipped
    assert ("http://closed.site.example/file.csv", Skip.ROBOTS) in skipped
    fetched = {event.fetch.url for event in events if isinstance(event, Fetched)}
    assert fetched >= {SEED.rstrip("/") + path for path in PATHS}
    assert ledger.files[f"{SEED}page%20called%20CSV"].status == "suspicious"
