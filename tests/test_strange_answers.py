"""Answers that nobody sends by mistake: one site has all of them, and is crawled to its end."""

# ruff: noqa: E501 header lines are long

import io
import resource
import zipfile
from collections import Counter

import pytest
from manners import CHUNKED, CSV, HTML, LINKS, OK, raw
from test_hostile import GOOD, LONGEST_BLOCK, crawl
from websites import Website, data, page, redirect

from datahound.report.phrases import Cause

GROWTH = 300 << 20
REQUESTS_PER_URL = 8


def headers(*lines, body=LINKS, first=OK + HTML):
    """A page with these header lines."""
    length = f"Content-Length: {len(body)}\r\n"
    return raw(first, "".join(f"{line}\r\n" for line in lines), length, "\r\n", body)


def bomb():
    """A workbook whose one sheet unpacks to 50 MB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", b"<row>" * 10_000_000)
    return packed.getvalue()


LONG = "x" * 60_000
ROWS = b"c,d\n3,4\n"
STRANGE = {
    "links": headers(f"Link: {'</p>; rel=next, ' * 3500}"),
    "link-unclosed": headers(f"Link: {'<' * 60_000}"),
    "cookies": headers(*(f"Set-Cookie: c{number}={'v' * 40}" for number in range(900))),
    "cookie-long": headers(f"Set-Cookie: a={LONG}"),
    "cookie-domains": headers(*(f"Set-Cookie: a=b; Domain={d}" for d in ("com", ".", "..", "[::]"))),
    "cookie-dates": headers("Set-Cookie: a=b; Expires=Thu, 99 Foo 99999 99:99:99 GMT; Max-Age=9e99"),
    "refresh": headers(f"Refresh: 0; url={'/refresh?' + 'a' * 50_000}"),
    "retry-after": headers(f"Retry-After: {'9' * 50_000}"),
    "disposition.csv": headers(
        f'Content-Disposition: attachment; filename="{"../" * 9000}x.csv"', body=ROWS, first=OK + CSV
    ),
    "disposition-star.csv": headers(
        f"Content-Disposition: attachment; filename*=UTF-8''{'%00%2e%2e%2f' * 4000}",
        body=ROWS,
        first=OK + CSV,
    ),
    "part.csv": headers(
        "Content-Range: bytes 5-9/999999999999", body=ROWS, first="HTTP/1.1 206 P\r\n" + CSV
    ),
    "part-of-nothing.csv": headers(
        "Content-Range: bytes */*", body=ROWS, first="HTTP/1.1 416 R\r\n" + CSV
    ),
    "trailers": raw(
        OK, HTML, CHUNKED, "Trailer: X\r\n\r\n5\r\nhello\r\n0\r\n", f"X: {LONG}\r\n" * 99, "\r\n"
    ),
    "two-answers": raw(OK, HTML, "Content-Length: 5\r\n\r\nhello", OK, HTML, "\r\nmore"),
    "garbage-behind": raw(OK, HTML, "Content-Length: 5\r\n\r\nhello", "\0\xff" * 50_000),
    "early-hints": raw("HTTP/1.1 103 E\r\nLink: </a>\r\n\r\n" * 2000, OK, HTML, "\r\n", LINKS),
    "switching": raw("HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", "\0" * 999),
    "not-modified": raw("HTTP/1.1 304 N\r\nETag: x\r\n\r\n"),
    "types": headers(f"Content-Type: {'text/html, ' * 5000}", first=OK),
    "quotes": headers("Content-Type: text/html; charset=" + '"\\' * 25_000, first=OK),
    "bases": data(b"<base href='/" + b"b/" * 3500 + b"'>" + b"<a href=x.csv>" * 5000, "text/html"),
    "long-links": data(b"".join(b"<a href='/%d?%s'>" % (n, b"q" * 9000) for n in range(300)), "text/html"),
    "json-ld": data(
        b"<script type=application/ld+json>" + b'{"distribution":[' * 50_000 + b"</script>", "text/html"
    ),
    "state": data(b"<script>window.__S='" + b'"\\' * 500_000 + b"</script>", "text/html"),
    "title": data(b"<title>" + b"&CounterClockwiseContourIntegral;" * 100_000, "text/html"),
    "controls": data(b"<title>\x1b]0;evil\x07\x1b[2J</title><a href=/\x1b[31m>x", "text/html"),
    "zip.xlsx": data(bomb(), "application/vnd.ms-excel"),
    "loop-a": redirect("/loop-b"),
    "loop-b": redirect("/loop-a"),
    "elsewhere": redirect("http://169.254.169.254/latest/meta-data/"),
    "scheme": redirect("file:///etc/passwd"),
    "userinfo": redirect("http://www.site.example@127.0.0.1:1/"),
    "refreshes": data(b"<meta http-equiv=refresh content='0;url=/refreshes?%d'>" * 3000, "text/html"),
}  # fmt: skip


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    paths = {f"/{name}": answer for name, answer in STRANGE.items()}
    robots = data(b"User-agent: *\nCrawl-delay: nan\n" + b"x" * 490_000, "text/plain")
    site = Website({"/": page(*paths, *GOOD), **paths, **GOOD, "/robots.txt": robots})
    folder = tmp_path_factory.mktemp("strange") / "crawl"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ended, run, watch = crawl(folder, site, budget=600, **{"ignore-robots": False})
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    return folder, site, ended, run, watch, grown


def test_a_site_of_strange_answers_is_crawled_to_its_end(crawled):
    folder, _, ended, *_ = crawled
    assert ended.cause in (Cause.EXHAUSTED, Cause.SPENT_REQUESTS), ended
    assert {path.name for path in (folder / "files").rglob("good-*")} == {n[1:] for n in GOOD}


def test_it_costs_few_requests_little_memory_and_no_stall(crawled):
    _, site, _, _, watch, grown = crawled
    asked = Counter(exchange.path for exchange in site.asked)
    assert max(asked.values()) <= REQUESTS_PER_URL, asked.most_common(3)
    assert grown < GROWTH
    assert watch.longest < 2 * LONGEST_BLOCK, watch.culprit


def test_nothing_is_written_outside_and_no_private_address_is_asked(crawled):
    folder, site, *_ = crawled
    assert {exchange.host for exchange in site.asked} == {"www.site.example"}
    for path in (folder / "files").rglob("*"):
        assert not path.is_symlink()
        assert path.name.isprintable()
    assert {path.name for path in folder.parent.iterdir()} == {"crawl"}
