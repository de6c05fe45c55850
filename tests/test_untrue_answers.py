"""Servers that say what is not so: nothing is lost by it, mixed up, or shown beyond measure."""

import os

import pytest
from manners import CSV, OK, raw
from test_hostile import crawl
from websites import Website, data, page

from datahound.report.page import write_report
from datahound.report.status import read_status

GOOD = {"/good.csv": data(b"a,b\n1,2\n")}


def linked(answers):
    """A start page that links to these and to a good file."""
    return Website({"/": page(*answers, *GOOD), **answers, **GOOD})


def test_lengths_that_can_not_be_do_not_spoil_the_totals(tmp_path):
    """A dozen files of an exabyte each: status and report are still there, with their sums."""
    huge = raw(OK, CSV, f"Content-Length: {'9' * 18}\r\n\r\na,b\n")
    folder = tmp_path / "crawl"
    crawl(folder, linked({f"/huge-{n}.csv": huge for n in range(12)}), **{"list-only": True})
    assert read_status(folder).targets == 13
    assert write_report(folder).exists()


OLD, NEW = os.urandom(300_000), os.urandom(350_000)
MONDAY = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
TUESDAY = "Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT\r\n"
TAG = 'ETag: "1"\r\n'


def breaks_then(first, then, body, shift=0):
    """The first answer breaks off; ranges are of another body, or begin elsewhere than they say."""

    async def manner(exchange):
        begin = int(exchange.headers.get("range", "bytes=0-")[6:-1])
        if exchange.times == 1:
            await exchange.send(
                OK, CSV, first, f"Content-Length: {len(OLD)}\r\n\r\n", OLD[:100_000]
            )
            return
        rest = body[begin + shift :] if begin else body
        await exchange.send("HTTP/1.1 206 P\r\n" if begin else OK, CSV, then)
        await exchange.send(f"Content-Range: bytes {begin}-{len(body) - 1}/{len(body)}\r\n")
        await exchange.send(f"Content-Length: {len(rest)}\r\n\r\n", rest)

    return manner


RANGES = {
    "another version of the same length": (MONDAY, TUESDAY, NEW[: len(OLD)], 0),
    "another version": (MONDAY, TUESDAY, NEW, 0),
    "another version that is not marked": (TAG, "", NEW, 0),
    "from before where it says": (TAG, TAG, OLD, -1000),
    "from behind where it says": (TAG, TAG, OLD, 1000),
}


@pytest.mark.parametrize("kind", RANGES)
def test_a_range_that_is_not_the_rest_is_never_added(kind, tmp_path):
    """The file is asked for as a whole then, and kept as one version."""
    first, then, body, shift = RANGES[kind]
    site = linked({"/a.csv": breaks_then(first, then, body, shift)})
    crawl(tmp_path / "crawl", site, **{"ignore-robots": True})
    (kept,) = (tmp_path / "crawl" / "files").rglob("a.csv")
    assert kept.read_bytes() == body
    assert len(site.requests("/a.csv")) == 3


def test_a_type_that_fills_a_header_is_no_type(tmp_path):
    """It would be shown at the end, in the report, and stored with each request."""
    long = raw(OK, f"Content-Type: a/{'x' * 60_000}\r\nContent-Length: 3\r\n\r\nabc")
    folder = tmp_path / "crawl"
    crawl(folder, linked({"/long": long, "/long.csv": long}), **{"ignore-robots": True})
    assert sum(map(len, read_status(folder).missed)) < 1000
    assert write_report(folder).stat().st_size < 200_000
    assert len(list((folder / "files").rglob("*.csv"))) == 2
