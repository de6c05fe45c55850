"""URLs of thousands of characters, and of thousands of directories: what they may cost."""

import time
from contextlib import closing
from dataclasses import replace

import pytest
from test_hostile import LONGEST_BLOCK
from websites import SEED

from datahound.crawl.crawl import Crawl
from datahound.events import ListRead, Visited
from datahound.model import Entry, Link, Listing, Page, Response, Role
from datahound.readers import read_listing
from datahound.readers.html import read_page
from datahound.settings import CrawlSettings, TrapSettings
from datahound.store.writer import Store
from datahound.strategies import make_strategy

LENGTH = 7900
OF_A_PAGE = 250
"""As many as the reader of pages gives."""
SHAPES = {
    "queries": lambda page, n: f"{SEED}p{page}-{n}?{'q' * LENGTH}",
    "keys": lambda page, n: f"{SEED}p{page}-{n}?" + "&".join(f"k{i}=1" for i in range(1200)),
    "directories": lambda page, n: SEED + f"{page}-{n}/" + "/".join(map(str, range(1600))),
    "words": lambda page, n: f"{SEED}p{page}-{n}-" + "-".join(["ab"] * 2500),
    "years": lambda page, n: f"{SEED}calendar/{page}-{n}" + "/2001" * 3 + "/2001x" * 1300,
    "signs": lambda page, n: f"{SEED}p{page}-{n};sid=" + "/(" * 3900,
}


def crawl_links(shape, pages):
    """A crawl in whose every page there are new long links, and the longest step of it."""
    settings = CrawlSettings(max_known=1_000_000, max_requests=pages, traps=TrapSettings())
    crawl = Crawl(SEED, make_strategy("hound", seed=1), settings=settings)
    longest, left_out, page = 0.0, 0, 0
    while not crawl.ended:
        begun = time.thread_time()
        fetch = crawl.next_fetch(200)
        longest = max(longest, time.thread_time() - begun)
        for event in crawl.take_events():
            left_out += event.not_followed.links_left_out if isinstance(event, Visited) else 0
        if fetch is None:
            continue
        urls = [shape(page, n) for n in range(OF_A_PAGE)] + [f"{SEED}f{page}.csv", f"{SEED}s{page}"]
        links = tuple(Link(url, "html a", "", "", fetch.url) for url in urls)
        is_file = fetch.url.endswith(".csv")
        headers = {"content-type": "text/csv" if is_file else "text/html"}
        answer = Response(fetch.url, 200, headers, b"<p>x", 4)
        page += not is_file
        crawl.answer(fetch, answer if is_file else replace(answer, page=Page(fetch.url, "", links)))
    return crawl, longest, left_out


@pytest.mark.parametrize("shape", SHAPES)
def test_no_step_of_a_crawl_takes_long(shape):
    """A step looks at fewer links where they are long, and no part of it is quadratic in one."""
    _, longest, _ = crawl_links(SHAPES[shape], 4)
    assert longest < LONGEST_BLOCK


def test_long_urls_are_bounded_in_all_and_counted():
    """Megabytes of URLs on each page fill no memory; ordinary links and files are still taken."""
    crawl, _, left_out = crawl_links(SHAPES["queries"], 130)
    assert sum(map(len, crawl.known)) < 40_000_000
    assert left_out > 40 * OF_A_PAGE
    assert sum(url.endswith(".csv") for url in crawl.known) > 50
    assert sum(url.startswith(f"{SEED}s") for url in crawl.known) > 50


def test_the_room_for_long_urls_is_restored():
    crawl, *_ = crawl_links(SHAPES["queries"], 60)
    again = Crawl(SEED, make_strategy("hound", seed=1), settings=crawl.settings)
    again.restore(crawl.snapshot())
    assert again.snapshot() == crawl.snapshot()


def test_a_page_brings_few_long_urls():
    links = "".join(f"<a href='/{n}?{'q' * LENGTH}'>x</a><a href='/{n}'>x</a>" for n in range(1000))
    page = read_page(Response(SEED, 200, {}, links.encode()))
    assert sum(map(len, (link.url for link in page.links))) < 2_500_000
    assert page.links_left_out + len(page.links) == 2000


def test_a_sitemap_brings_few_long_urls():
    items = "".join(f"<url><loc>{SEED}{n}?{'q' * LENGTH}</loc></url>" for n in range(5000))
    page = read_listing(Response(f"{SEED}sitemap.xml", 200, {}, f"<urlset>{items}".encode()))
    assert sum(len(link.url) for link in page.links) < 17_000_000
    assert page.links_left_out + len(page.links) == pytest.approx(5000, abs=3)


def test_long_rows_are_written_a_few_at_a_time(tmp_path):
    """Ten megabytes of rows are no moment of the event loop."""
    entries = tuple(Entry(f"{SEED}{n}?{'q' * LENGTH}", Role.PAGE) for n in range(1500))
    event = ListRead(1, Link(SEED), Listing("sitemap", "urls", 1500, entries=entries), 1500)
    with closing(Store(tmp_path / "crawl.db")) as store:
        store.observe([event])
        store.write_some()
        (first,) = store.connection.execute("SELECT count(*) FROM listed_entry").fetchone()
        assert 0 < first <= 300
        while store.is_behind:
            store.write_some()
        (count,) = store.connection.execute("SELECT count(*) FROM listed_entry").fetchone()
    assert count == 1500
