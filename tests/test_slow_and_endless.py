"""Sites that make a crawl wait, or lead it on without end: the good files come all the same."""

import time
from collections import Counter

from manners import HTML, OK, endless, raw, then_hang
from test_hostile import GOOD, crawl
from test_other_attacks import site_without_end
from websites import Website, data, page

from datahound.readers.sitemap import find_sitemaps
from datahound.report.phrases import Cause

LATE = ["web.connect_seconds=0.2", "web.headers_seconds=0.4", "web.page_seconds=0.8"]
QUICK = [*LATE, "web.idle_seconds=0.6", "web.retry_seconds=0.01", "downloads.retry_seconds=0.01"]


def test_answers_that_come_late_are_asked_for_once(tmp_path):
    """A host that lets some requests wait for ever: after two of them, no other is retried."""
    late = {
        **{f"/hang-{n}": then_hang() for n in range(4)},
        **{f"/drip-{n}": endless(OK, "X: ", piece=b"x", pause=0.05) for n in range(4)},
        **{f"/body-{n}": endless(OK, HTML, "\r\n<p>", piece=b"x", pause=0.05) for n in range(4)},
        "/hints": endless("", piece=b"HTTP/1.1 103 E\r\nLink: </a>\r\n\r\n" * 9, pause=0.01),
    }
    site = Website({"/": page(*late, *GOOD), **late, **GOOD})
    ended, *_ = crawl(tmp_path / "crawl", site, set=QUICK, **{"ignore-robots": True})
    assert ended.cause is Cause.EXHAUSTED
    assert len(list((tmp_path / "crawl" / "files").rglob("good-*"))) == len(GOOD)
    asked = Counter(exchange.path for exchange in site.asked)
    assert sum(asked[path] for path in late) <= len(late) + 2


def test_a_page_that_drips_is_read_as_far_as_it_came(tmp_path, monkeypatch):
    """Its links are followed, and it is not asked for again."""
    monkeypatch.setattr("datahound.http.wire._SLOW_SECONDS", 0.3)
    drip = endless(OK, HTML, "\r\n", b"<a href=/behind.csv>b</a>", piece=b"x", pause=0.1)
    site = Website({"/": page("/drip"), "/drip": drip, "/behind.csv": data(b"a,b\n1,2\n")})
    begun = time.monotonic()
    crawl(tmp_path / "crawl", site, **{"ignore-robots": True})
    assert len(site.requests("/drip")) == 1
    assert list((tmp_path / "crawl" / "files").rglob("behind.csv"))
    # The limit of a page is 10 s here.
    assert time.monotonic() - begun < 9


def test_files_that_name_files_without_end_wait_for_the_others(tmp_path):
    """Tables of addresses of tables of addresses: what the pages link to comes first."""

    def answer(exchange):
        number = sum(exchange.path.encode()) * 7919 % 10**9
        rows = (f"http://www.site.example/l/{number}-{n}.csv" for n in range(100))
        return data("url\n{}\n".format("\n".join(rows)).encode())

    site = site_without_end(answer, page("/l/1.csv", "/list", *list(GOOD)[:2]))
    site.paths["/list"] = page(*list(GOOD)[2:])
    crawl(tmp_path / "crawl", site, budget=130, **{"ignore-robots": True})
    assert len(list((tmp_path / "crawl" / "files").rglob("good-*"))) == len(GOOD)


def test_cookies_stay_within_what_servers_take(tmp_path):
    """A site that sets a hundred cookies with each answer is still asked with few bytes of them."""
    numbers = iter(range(10**6))

    def answer(exchange):
        cookies = (f"Set-Cookie: c{next(numbers)}={'v' * 400}; Path=/\r\n" for _ in range(90))
        links = "".join(f"<a href=/{exchange.path[1:]}{n}>x</a>" for n in range(3)).encode()
        return raw(OK, HTML, *cookies, f"Content-Length: {len(links)}\r\n\r\n", links)

    async def manner(exchange):
        await answer(exchange)(exchange)

    site = Website({"/": manner, **{f"/{n}": manner for n in range(3)}})
    crawl(tmp_path / "crawl", site, **{"ignore-robots": True})
    assert len(site.asked) >= 4
    assert 0 < max(len(exchange.headers.get("cookie", "")) for exchange in site.asked) < 8500


def test_a_blank_robots_txt_is_looked_through_in_a_moment():
    """Half a megabyte of blank lines, on each of as many hosts as a site likes."""
    for text in ("\n" * 490_000, " \n" * 245_000, "\nsitemap" * 60_000, "sitemap:" * 60_000):
        assert min(measure(text) for _ in range(3)) < 0.05


def measure(text):
    """Seconds of processor time in which the sitemaps of a robots.txt are found."""
    begun = time.thread_time()
    find_sitemaps("http://a.example/robots.txt", text)
    return time.thread_time() - begun
