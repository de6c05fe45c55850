"""Pages that stand under two names: learned from equal pages, doubted, and nothing new is lost."""

import json

import pytest

from datahound.archive import MemoryArchive
from datahound.crawl import url_names
from datahound.crawl.crawl import Crawl
from datahound.crawl.url_names import EqualPages
from datahound.engines.replay import replay
from datahound.events import Fetched, Skipped, TargetFound
from datahound.model import Fetch, Link, Page, Response, Skip
from datahound.strategies import make_strategy

SITE = "https://a.example"
HTML = {"content-type": "text/html"}


def page(url, *links, title="A page"):
    return Page(url, title, tuple(Link(link) for link in links))


def read(*read_pages):
    pages = EqualPages()
    for each in read_pages:
        pages.learn_page(each)
    return pages


def pairs(first, second, count=3):
    """So many pages under two names each, which have links to others and to themselves."""
    for number in range(count):
        stem = f"{SITE}/{number}"
        links = (stem + first, stem + second, f"{SITE}/more/{number}.csv")
        yield page(stem + first, *links, title=str(number))
        yield page(stem + second, *links, title=str(number))


@pytest.mark.parametrize(
    ("first", "second"),
    [("/", "/index.html"), ("", ".html"), ("", "/"), (".html", ".php"), ("/default.aspx", "/")],
)
def test_endings_that_stand_for_the_same_page(first, second):
    """Three equal pages make a rule, in both directions, for what was read."""
    met = page(f"{SITE}/x{first}")
    assert not read(*pairs(first, second, 2), met).was_read(f"{SITE}/x{second}")
    pages = read(*pairs(first, second), met)
    assert pages.was_read(f"{SITE}/x{second}")
    assert not pages.was_read(f"{SITE}/y{second}")
    assert read(*pairs(second, first), met).was_read(f"{SITE}/x{second}")


@pytest.mark.parametrize(
    "url",
    [
        "https://b.example/x.html",
        f"{SITE}/x.htm",
        f"{SITE}/x.html?page=2",
        f"{SITE}/x.csv",
        f"{SITE}/x",
    ],
)
def test_a_rule_is_for_its_origin_and_its_endings(url):
    met = [page(f"{SITE}/x"), page("https://b.example/x")]
    assert not read(*pairs("", ".html"), *met).was_read(url)


@pytest.mark.parametrize(
    "other",
    [
        page(f"{SITE}/o.html", f"{SITE}/data.csv", title="o"),
        page(f"{SITE}/o.html", title="something else"),
    ],
)
def test_pages_that_differ_speak_against_a_rule(other):
    differing = (page(f"{SITE}/o", title="o"), other)
    met = page(f"{SITE}/x")
    assert not read(*differing, *pairs("", ".html"), met).was_read(f"{SITE}/x.html")
    assert read(*differing, *pairs("", ".html", 8), met).was_read(f"{SITE}/x.html")


def test_what_was_read_long_ago_is_forgotten(monkeypatch):
    """So that memory is bounded; the page is then read again, and nothing is lost."""
    monkeypatch.setattr(url_names, "_MAX_PAGES", 10)
    pages = read(*pairs("", ".html"), page(f"{SITE}/x"))
    assert pages.was_read(f"{SITE}/x.html")
    for number in range(10):
        pages.learn_page(page(f"{SITE}/later/{number}"))
    assert not pages.was_read(f"{SITE}/x.html")
    assert len(pages.snapshot()["names"]) == 10


def test_it_survives_a_snapshot():
    pages = read(*pairs("/", "/index.html"), page(f"{SITE}/x/"))
    state = {key: list(value) for key, value in pages.snapshot().items()}
    other = EqualPages()
    other.restore(json.loads(json.dumps(state)))
    assert other.was_read(f"{SITE}/x/index.html")
    assert other.snapshot() == pages.snapshot()


@pytest.mark.parametrize("url", [SITE, f"{SITE}/", "https:", "", "https://a.example/\udcff/"])
def test_odd_names(url):
    pages = read(page(url, url))
    assert not pages.was_read(url)


def site(bodies):
    archive = MemoryArchive(f"{SITE}/")
    for path, body in bodies.items():
        url = f"{SITE}/{path}"
        if path.endswith(".pdf"):
            archive.put(Fetch(url), Response(url, 200, {"content-type": "application/pdf"}))
        else:
            archive.put(Fetch(url), Response(url, 200, HTML, body.encode(), len(body)))
    return archive


def crawl(archive, strategy="hound"):
    events = []
    replay(Crawl(f"{SITE}/", make_strategy(strategy)), archive, events.extend)
    return events


def test_a_crawl_reads_no_page_twice_and_finds_all_the_same():
    names = [str(number) for number in range(20)]
    links = "".join(f'<a href="/{n}/">{n}</a> <a href="/{n}/index.html">{n}</a>' for n in names)
    bodies = {"": links} | {f"{n}.pdf": "" for n in names}
    for n in names:
        bodies[f"{n}/"] = bodies[f"{n}/index.html"] = (
            f'<title>{n}</title><a href="/{n}.pdf">pdf</a>'
        )
    archive = site(bodies)
    events = crawl(archive)
    asked = [e.fetch.url for e in events if isinstance(e, Fetched)]
    found = {e.link.url for e in events if isinstance(e, TargetFound)}
    assert found == {f"{SITE}/{n}.pdf" for n in names}
    assert len(asked) <= 1 + 2 * len(names) + 3 * 2
    assert any(isinstance(e, Skipped) and e.reason is Skip.ALIAS for e in events)
    as_linked = [e for e in crawl(archive, "sb-classifier") if isinstance(e, Fetched)]
    assert len(as_linked) >= 1 + 3 * len(names)


def test_a_crawl_loses_nothing_where_endings_stand_for_different_pages():
    names = [str(number) for number in range(20)]
    links = "".join(f'<a href="/{n}">{n}</a> <a href="/{n}.html">{n}</a>' for n in names)
    bodies = {"": links} | {f"{n}{kind}.pdf": "" for n in names for kind in "ab"}
    for n in names:
        bodies[n] = f'<title>{n}</title><a href="/{n}a.pdf">pdf</a>'
        bodies[f"{n}.html"] = f'<title>{n}</title><a href="/{n}b.pdf">pdf</a>'
    found = {e.link.url for e in crawl(site(bodies)) if isinstance(e, TargetFound)}
    assert len(found) == 2 * len(names)


@pytest.mark.parametrize(
    ("read_before", "url", "waits"),
    [
        ([page(f"{SITE}/x/")], f"{SITE}/x/index.html", True),
        ([page(f"{SITE}/x")], f"{SITE}/x/", True),
        ([page(f"{SITE}/x")], f"{SITE}/x.html", False),
        ([*pairs("", ".html", 1), page(f"{SITE}/x")], f"{SITE}/x.html", True),
        ([page(f"{SITE}/y/")], f"{SITE}/x/index.html", False),
        (
            [page(f"{SITE}/o/"), page(f"{SITE}/o/index.html", title="o"), page(f"{SITE}/x/")],
            f"{SITE}/x/index.html",
            False,
        ),
    ],
)
def test_what_is_probably_read_may_wait(read_before, url, waits):
    """As long as nothing differs: index pages from the first, other endings after one pair."""
    pages = read(*read_before)
    assert pages.may_postpone(url) is waits
    assert not pages.was_read(url)


def test_not_all_of_a_site_waits():
    """Some are read in time, so that it is learned and none has to be kept."""
    pages = read(*(page(f"{SITE}/{n}/") for n in range(200)))
    waiting = [pages.may_postpone(f"{SITE}/{n}/index.html") for n in range(200)]
    assert waiting == [True] * 64 + [False] * 136


def test_what_waits_is_read_at_last():
    """An index page unlike its directory: read after all others, and its target is found."""
    names = [str(number) for number in range(20)]
    links = '<a href="/index.html">home</a>' + "".join(f'<a href="/{n}">{n}</a>' for n in names)
    bodies = {"": links, "index.html": '<a href="/only.pdf">pdf</a>', "only.pdf": ""}
    bodies |= {n: f"<title>{n}</title>" for n in names}
    events = crawl(site(bodies))
    asked = [e.fetch.url for e in events if isinstance(e, Fetched)]
    assert asked[-2:] == [f"{SITE}/index.html", f"{SITE}/only.pdf"]
    assert len(asked) == 2 + len(names) + 1
