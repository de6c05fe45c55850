"""More of what nobody sends by mistake, one small site per kind, each crawled to its end.

Answers that break the rules of HTTP, names that would leave the folder, links to where no crawl may
go, redirects and spaces of pages without end, lists that never end or lie, and bombs.
"""

# ruff: noqa: E501 header lines are long

import gzip
import json
import lzma
import resource
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import count

import pytest
from manners import CHUNKED, CSV, HTML, LINKS, OK, at_first, chunk, packed, raw
from test_hostile import GOOD, LONGEST_BLOCK, crawl
from test_strange_answers import GROWTH, headers
from websites import SEED, Website, data, error, page, redirect, send_response

from datahound.model import Response
from datahound.report.phrases import Cause

ROWS = b"c,d\n3,4\n"
REQUESTS_PER_URL = 6
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def site_of(answers, extra=None):
    """A start page that links to these and to the good files."""
    return Website({"/": page(*answers, *GOOD), **GOOD, **answers, **(extra or {})})


class Everywhere(dict):
    """An answer for any path of any host."""

    def __init__(self, paths, answer):
        super().__init__(paths)
        self._answer = answer

    def get(self, name, other=None):
        # With a host first, then without one.
        return super().get(name, self._manner if name.startswith("/") else other)

    async def _manner(self, exchange):
        await send_response(exchange, self._answer(exchange))


def site_without_end(answer, start=None, extra=None):
    """A site that has something at every path."""
    site = Website({})
    site.paths = Everywhere({"/": start or page("/x", *GOOD), **GOOD, **(extra or {})}, answer)
    return site


def html(text):
    return data(text.encode("utf-8", "surrogatepass"), "text/html")


def start_page(head=""):
    return html(head + "".join(f"<a href={name}>g</a>" for name in GOOD))


def named(disposition):
    return headers("Content-Disposition: attachment; " + disposition, body=ROWS, first=OK + CSV)


FRAMING = {
    "length-negative": raw(OK, HTML, "Content-Length: -5\r\n\r\n", LINKS),
    "length-twice": raw(OK, HTML, "Content-Length: 5\r\nContent-Length: 50\r\n\r\n", LINKS),
    "length-plus": raw(OK, HTML, "Content-Length: +42\r\n\r\n", LINKS),
    "length-huge": raw(OK, HTML, f"Content-Length: {'9' * 5000}\r\n\r\n", LINKS),
    "length-list": raw(OK, HTML, f"Content-Length: {len(LINKS)}, {len(LINKS)}\r\n\r\n", LINKS),
    "length-and-chunks": raw(OK, HTML, CHUNKED, "Content-Length: 3\r\n\r\n", chunk(LINKS), "0\r\n\r\n"),
    "transfer-unknown": raw(OK, HTML, "Transfer-Encoding: xchunked, chunked, gzip\r\n\r\n", LINKS),
    "chunk-negative": raw(OK, HTML, CHUNKED, "\r\n-5\r\nhello\r\n0\r\n\r\n"),
    "chunk-huge": raw(OK, HTML, CHUNKED, "\r\nffffffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
    "chunk-extended": raw(OK, HTML, CHUNKED, "\r\n5;" + "a=b;" * 50_000 + "\r\nhello\r\n0\r\n\r\n"),
    "bare-line-feeds": raw("HTTP/1.1 200 OK\nContent-Type: text/html\n\n", LINKS),
    "no-head": raw("<a href=/good-1.csv>x"),
    "http2": raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "http99": raw("HTTP/9.9 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
    "status-0": raw("HTTP/1.1 0 X\r\n\r\n"),
    "status-999": raw("HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"),
    "status-99999": raw("HTTP/1.1 99999 X\r\n\r\n"),
    "status-words": raw("HTTP/1.1 OK 200\r\n\r\n"),
    "reason-long": raw("HTTP/1.1 200 " + "x" * 70_000 + "\r\n\r\n"),
    "folded": raw(OK, "Content-Type: text/html\r\n  ; charset=x\r\n\r\n", LINKS),
    "nul": raw(OK, HTML, "X: a\0b\r\n\r\n", LINKS),
    "carriage-return": raw(OK, HTML, "X: a\rY: b\r\n\r\n", LINKS),
    "name-with-blank": raw(OK, HTML, "X : a\r\n\r\n", LINKS),
    "name-empty": raw(OK, HTML, ": a\r\n\r\n", LINKS),
    "fields-many": raw(OK, HTML, "".join(f"X-{n}: \r\n" for n in range(9000)), "\r\n", LINKS),
    "head-cut": raw("HTTP/1.1 200 OK\r\nConte"),
    "nothing": raw(b""),
    "lines-first": raw("\r\n" * 5000, OK, HTML, "\r\n", LINKS),
    "no-content-with-body": raw("HTTP/1.1 204 N\r\nContent-Length: 9\r\n\r\nhello wor"),
    "not-modified-with-body": raw("HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\nhello wor"),
    "upgrade": raw(OK, "Upgrade: h2c\r\nConnection: Upgrade\r\n", HTML, "\r\n", LINKS),
    "challenge": raw(f"HTTP/1.1 401 X\r\nWWW-Authenticate: Negotiate {'A' * 30_000}\r\n\r\n"),
    "tag-long.csv": headers(f'ETag: "{"e" * 60_000}"', body=ROWS, first=OK + CSV),
    "year-9999.csv": headers("Last-Modified: Fri, 31 Dec 9999 23:59:59 GMT", body=b"e,f\n", first=OK + CSV),
    "year-none.csv": headers("Last-Modified: Mon, 99 Foo -1 99:99", "Date: x", body=b"g,h\n", first=OK + CSV),
    "gzip-and-more.csv": headers("Content-Encoding: gzip", body=packed(ROWS) + b"garbage" * 999, first=OK + CSV),
    "gzip-cut.csv": headers("Content-Encoding: gzip", body=packed(ROWS * 999)[:-9], first=OK + CSV),
    "packed-often.csv": headers("Content-Encoding: " + "gzip, " * 9000, body=packed(ROWS), first=OK + CSV),
    "packed-oddly.csv": headers("Content-Encoding: xz", body=lzma.compress(ROWS), first=OK + CSV),
    "vary": headers("Vary: " + "*," * 30_000),
    "refresh-late": headers("Refresh: 1e999; url=/r1", "Refresh: nan;url=/r2", "Refresh: -1;url=/r3"),
    "range-long.csv": at_first(
        raw(OK, CSV, 'ETag: "1"\r\nContent-Length: 99\r\n\r\na,b\n'),
        1,
        error(416, content_range="bytes */" + "9" * 5000),
    ),
    "later": at_first(raw("HTTP/1.1 503 T\r\nRetry-After: -1\r\nContent-Length: 0\r\n\r\n"), 1, page()),
    "later-nan": at_first(raw("HTTP/1.1 503 T\r\nRetry-After: nan\r\nContent-Length: 0\r\n\r\n"), 1, page()),
    "later-date": at_first(raw("HTTP/1.1 503 T\r\nRetry-After: Mon, 01 Jan 1900 00:00:00 +9999\r\nContent-Length: 0\r\n\r\n"), 1, page()),
}  # fmt: skip
SAID = [
    'filename="../../../../etc/passwd"', 'filename="/etc/passwd"', 'filename="C:\\\\Windows\\\\x.csv"',
    'filename="CON.csv"', 'filename="aux"', 'filename="COM1.txt.csv"', 'filename="a.csv."',
    'filename="a.csv "', 'filename="A.CSV"', 'filename="a.csv::$DATA"', 'filename="~"', 'filename=".."',
    'filename=".htaccess"', 'filename="-rf.csv"', 'filename="desktop.ini"', 'filename="crawl.db"',
    'filename=".parts"', f'filename="{"a" * 50_000}.csv"', "filename*=" + "'" * 9999,
    "filename*=UTF-8''e%CC%81.csv", "filename*=UTF-8''%C3%A9.csv", "filename*=UTF-16''%ff%fe",
    "filename*=UTF-8''%EF%BC%8F..%EF%BC%8Fx.csv", "filename*=UTF-8''%E2%80%AEvsc.exe",
    "filename*=UTF-8''a%00b.csv", "filename*=UTF-8''a%0Ab.csv", "filename*=UTF-8''COM%C2%B9.csv",
]  # fmt: skip
PATHS = [
    "/a%2f..%2f..%2fx.csv", "/%2e%2e/%2e%2e/y.csv", "/%00.csv", "/a%5c..%5cz.csv", "/.parts/q.csv",
    "/.parts", "/" + "d/" * 900 + "x.csv", "/" + "n" * 3000 + ".csv", "/%ff%fe.csv", "/%E2%80%AE.csv",
    "/con.csv", "/Con.CSV", "/nul/x.csv", "/e%CC%81.csv", "/%C3%A9.csv", "/a.csv/", "/a.csv/b.csv", "/a.csv",
    "/%1b%5b2J.csv", "/%3dcmd%7c'calc'!A1.csv",
]  # fmt: skip
NAMES = {
    **{f"/said-{number}": named(said) for number, said in enumerate(SAID)},
    **{path: data(b"u,x\n1,%d\n" % number) for number, path in enumerate(PATHS)},
}
LEADING_AWAY = [
    "http://[::1%25eth0]/a", "http://www.site.example:0/a.csv", "http://www.site.example:70000/a.csv",
    "http://user:pass@www.site.example/a.csv", f"http://{'.'.join(['a' * 63] * 5)}.www.site.example/",
    f"http://xn--{'a' * 60}.www.site.example/", "http://xn--ls8h=.www.site.example/", "http://0x7f.1/",
    "http://2130706433/", "http://127.1/", "http://0/", "http://localhost/", "http://[::ffff:127.0.0.1]/",
    "http://[::]/", "http://169.254.169.254/latest/", "http://metadata.google.internal/", "//", "////x",
    "http:", "http:///x.csv", "javascript:alert(1)", "data:text/csv,a", "blob:x", "file:///etc/passwd",
    "gopher://127.0.0.1/", "view-source:http://x/", "?" + "a" * 7000, "#" + "f" * 9000,
    "\\\\evil.example\\x.csv", "http://www.site.example\\@evil.example/", "http://evil.example#@www.site.example/",
    "http://www.site.example@evil.example/", "/%", "/%zz", "/\x1b]0;x\x07.csv", "http://[1:2:3/", "http://]/",
    "/'\"><script>alert(1)</script>.csv", "http://%31%32%37.0.0.1/", "http://www.site.example%00.evil/",
    "http://www.site.ex\u0430mple/x", "http://www\u3002evil\u3002example/x.csv", "http://www.site.example%2eevil.example/",
]  # fmt: skip
OWN = "www.site.example"


def robots(text):
    return {"/robots.txt": data(text.encode(), "text/plain")}


def sitemap(addresses, kind="urlset", one="url"):
    items = "".join(f"<{one}><loc>{address}</loc></{one}>" for address in addresses)
    return data(f"<{kind}>{items}</{kind}>".encode(), "application/xml")


def redirect_for_ever():
    numbers = count()

    def answer(_):
        number = next(numbers)
        more = {"set-cookie": f"c{number}={'v' * 3000}; Path=/", "content-length": "0"}
        return Response("", 302, {"location": f"/r/{number}", **more}, b"")

    return answer


def sitemaps_of_sitemaps():
    numbers = count()

    def answer(exchange):
        if "/sm/" not in exchange.path:
            return error(404)
        names = [f"{SEED}sm/{next(numbers)}.xml" for _ in range(100)]
        return sitemap(names, "sitemapindex", "sitemap")

    return answer


def ckan_for_ever(exchange):
    """A portal that claims a trillion data sets and has a new one on each page of its list."""
    if "package_search" not in exchange.path:
        return error(404)
    one = {"id": exchange.path, "name": "d", "title": "=1+1", "resources": []}
    result = {"success": True, "result": {"count": 10**18, "results": [one]}}
    return data(json.dumps(result).encode(), "application/json")


def laughs():
    entities = "".join(
        f'<!ENTITY l{n} "{(f"&l{n - 1};" if n > 1 else "lol") * 10}">' for n in range(1, 12)
    )
    return f"<!DOCTYPE x [{entities}]><rss><item><link>&l11;</link></item></rss>".encode()


XXE = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p;]>'
BOMBS = {
    "/laughs.rss": data(laughs(), "application/rss+xml"),
    "/outside.rss": data(XXE + b"<rss><item><link>&x;</link></item></rss>", "application/rss+xml"),
    "/quadratic.xml": data(b'<!DOCTYPE r [<!ENTITY a "' + b"a" * 50_000 + b'">]><rss>' + b"&a;" * 50_000, "text/xml"),
    "/deep.xml": data(b"<rss>" + b"<a>" * 300_000, "application/rss+xml"),
    "/names.rdf": data(b"<rdf:RDF " + b"".join(b"xmlns:a%d='b' " % n for n in range(40_000)) + b"/>", "application/rdf+xml"),
    "/marks.xml": data(b"<rss>" + b"<![CDATA[<?<!--" * 60_000, "application/rss+xml"),
    "/brackets.ttl": data(b"@prefix a: <b> .\n" + b"[" * 900_000, "text/turtle"),
    "/quotes.ttl": data(b'<a> <b> """' + b'\\"' * 400_000, "text/turtle"),
    "/deep.json": data(b"[" * 900_000, "application/json"),
    "/deeper.json": data(b'{"a":' * 180_000, "application/json"),
    "/numbers.json": data(b"[NaN,-Infinity,1e999999," + b"9" * 100_000 + b"]", "application/json"),
    "/halves.json": data(b'["\\ud800","http://www.site.example/\\udc00.csv","\\u0000.csv"]', "application/json"),
    "/keys.json": data(b"{" + b'"a":1,' * 150_000 + b'"a":2}', "application/json"),
    "/bomb.xlsx": data(gzip.compress(b"<row>" * 2_000_000), WORKBOOK),
}  # fmt: skip
KINDS = {
    "framing": lambda: (site_of({f"/{name}": answer for name, answer in FRAMING.items()}), {}),
    "names": lambda: (site_of(NAMES), {}),
    "links": lambda: (
        site_without_end(
            lambda _: html("<title>=1+1\x1b[31m</title>hi"),
            start_page("".join(f'<a href="{url.replace(chr(34), "&quot;")}">x</a>' for url in LEADING_AWAY)),
        ),
        {"linked-files": True},
    ),
    "redirects with cookies": lambda: (site_without_end(redirect_for_ever()), {}),
    "redirects to subdomains": lambda: (
        site_without_end(lambda e: redirect(f"http://x{len(e.path)}.{e.host}{e.path}x")),
        {},
    ),
    "redirects that grow": lambda: (site_without_end(lambda e: redirect(e.path + "a" * 3000)), {}),
    "subdomains without end": lambda: (
        site_without_end(lambda e: html("".join(f'<a href="http://s{n}{len(e.host)}.{OWN}/">x</a>' for n in range(50)))),
        {"ignore-robots": False, "budget": 100},
    ),
    "sessions": lambda: (
        site_without_end(lambda e: html("".join(f'<a href="/p{n}?PHPSESSID={e.times}{n:031x}">x</a>' for n in range(30)))),
        {"budget": 100},
    ),
    "sitemaps in a loop": lambda: (
        Website({"/": page(*GOOD), **GOOD,
            **robots("Sitemap: /s1.xml\nSitemap: http://127.0.0.1:1/s.xml\nSitemap: file:///etc/passwd\nCrawl-delay: 1e9\nCrawl-delay: -1\n"),
            "/s1.xml": sitemap([f"{SEED}s2.xml", f"{SEED}s1.xml"], "sitemapindex", "sitemap"),
            "/s2.xml": sitemap([f"{SEED}s1.xml", "http://169.254.169.254/s.xml"], "sitemapindex", "sitemap"),
        }),
        {"ignore-robots": False, "set": ["web.crawl_delay_cap=0.1"]},
    ),
    "sitemaps without end": lambda: (
        site_without_end(sitemaps_of_sitemaps(), page(*GOOD), robots("Sitemap: /sm/0.xml")),
        {"ignore-robots": False, "budget": 60},
    ),
    "a portal without end": lambda: (
        site_without_end(ckan_for_ever, start_page('<meta name="generator" content="ckan 2.9">')),
        {"budget": 60},
    ),
    "bombs": lambda: (site_of(BOMBS), {}),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_it_ends_keeps_the_good_files_and_costs_little(kind, tmp_path):
    """Few requests and little memory, no stall, nothing unforeseen, and nothing outside."""
    site, given = KINDS[kind]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    folder = tmp_path / "crawl"
    ended, _, watch = crawl(folder, site, **{"budget": 400, "ignore-robots": True, **given})
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert ended.cause in (Cause.EXHAUSTED, Cause.SPENT_REQUESTS), ended
    assert {path.name for path in (folder / "files").rglob("good-*")} == {n[1:] for n in GOOD}
    asked = Counter((exchange.host, exchange.path) for exchange in site.asked)
    assert max(asked.values()) <= REQUESTS_PER_URL, asked.most_common(3)
    assert grown < GROWTH
    assert watch.longest < 2 * LONGEST_BLOCK, watch.culprit
    check_hosts(kind, site)
    check_folder(folder)


def check_hosts(kind, site):
    """Only hosts of the site are asked, but for files that the user wants from elsewhere."""
    hosts = {exchange.host.rpartition("@")[2].partition(":")[0] for exchange in site.asked}
    strange = {host for host in hosts if host != OWN and not host.endswith(f".{OWN}")}
    assert not strange or kind == "links", strange
    assert not {host for host in strange if "evil" not in host and "xn--" not in host}, strange


def check_folder(folder):
    """Names are plain and inside, and no failure is one that nobody has foreseen."""
    assert {path.name for path in folder.parent.iterdir()} == {"crawl"}
    names = [
        path.relative_to(folder / "files").as_posix() for path in (folder / "files").rglob("*")
    ]
    assert len({name.casefold() for name in names}) == len(names)
    for path in (folder / "files").rglob("*"):
        assert not path.is_symlink()
        assert path.name.isprintable()
        assert path.name.rstrip(". ") == path.name
    with closing(sqlite3.connect(folder / "crawl.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        story = [str(row) for (name,) in tables.fetchall() for row in database.execute(f'SELECT * FROM "{name}"')]  # fmt: skip
    assert not [row for row in story if "internal error" in row]
