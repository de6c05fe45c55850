"""Sitemaps and feeds in later rounds: what they flag, what they name first, how far it is true."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.model import ENDPOINT, Entry, Link, Listing, Role
from datahound.refresh.history import PageHistory, PageVisit
from datahound.refresh.lists import ListSignals, read_date
from datahound.settings import RefreshSettings

SITE = "https://site.example"
SITEMAP = f"{SITE}/sitemap.xml"
DAY = 86_400.0


def make_pages(count: int = 6) -> PageHistory:
    """Pages that were read on day 100."""
    pages = PageHistory()
    for number in range(count):
        pages.add(PageVisit(f"{SITE}/p{number}.html", 100 * DAY, 0, 0))
    return pages


@pytest.fixture
def pages() -> PageHistory:
    return make_pages()


@pytest.fixture
def lists(pages: PageHistory) -> ListSignals:
    found = ListSignals(pages, RefreshSettings())
    found.add(Link(SITEMAP, f"{ENDPOINT}sitemap part", number=-1))
    return found


def read(lists: ListSignals, dates: dict[str, str], new: tuple[str, ...] = ()) -> list[str]:
    """Read the sitemap in a new round; the links that are of new pages."""
    lists.begin_round()
    links = [Link(url, "sitemap @sitemap", "", "", SITEMAP) for url in new]
    assert all(map(lists.park, links))
    entries = tuple(Entry(url, Role.PAGE, modified=date) for url, date in dates.items())
    listing = Listing("sitemap", "urls", entries=entries)
    return [link.url for link in lists.learn(SITEMAP, listing, dates, links)]


def test_a_page_is_flagged_once_its_date_has_changed(pages, lists):
    """At the first reading: once it is after the last visit; a visit takes the flag away."""
    read(lists, {pages.urls[0]: "1970-06-01", pages.urls[1]: "1970-01-03"})
    assert lists.factor(0) > lists.factor(1) == lists.factor(5)
    lists.observe(0, 0, 0.1)
    assert lists.factor(0) == lists.factor(1)
    read(lists, {pages.urls[0]: "1970-06-01", pages.urls[1]: "1970-06-02"})
    assert lists.factor(1) > lists.factor(0)


def test_a_sitemap_that_says_http_names_pages_of_https(pages, lists):
    """Many sites have moved to https, and their sitemaps have not."""
    read(lists, {pages.urls[0].replace("https", "http"): "1970-06-01"})
    assert lists.factor(0) > lists.factor(1)


def test_a_list_that_flags_everything_is_soon_worth_nothing(pages, lists):
    """Fifty flags without a new file: flagged pages count as little as it has shown."""
    for day in range(200, 210):
        read(lists, dict.fromkeys(pages.urls, f"1971-01-{day - 190:02}"))
        for place in range(len(pages)):
            lists.observe(place, 0, 1.0)
    read(lists, dict.fromkeys(pages.urls, "1972-01-01"))
    assert lists.factors().max() < 0.5


def test_only_pages_that_are_new_are_named_at_once(lists):
    """Of pages that no link leads to, those that are old wait until nothing else is left."""
    old, new = f"{SITE}/old.html", f"{SITE}/new.html"
    assert read(lists, {old: "1969-01-01", new: "1970-06-01"}, (old, new)) == [new]
    undated = f"{SITE}/undated.html"
    assert read(lists, {}, (undated,)) == [undated]
    assert [link.url for link in lists.release_all()] == [old]


def test_a_list_is_worth_what_it_has_led_to(lists):
    """An unread one comes first; afterwards, what it brought is compared with the best page."""
    lists.begin_round()
    link, value = lists.best(1.0)
    assert (link.url, value) == (SITEMAP, 1e9)
    lists.take(link)
    assert lists.best(1.0) == (None, -1.0)
    lists.credit(SITEMAP, 8)
    lists.begin_round()
    assert 3 < lists.best(1.0)[1] < 8


def test_a_guess_that_was_wrong_is_not_made_again(pages):
    """Where no sitemap is known, its usual place is asked once."""
    lists = ListSignals(pages, RefreshSettings())
    lists.suggest(f"{SITE}/p0.html", [f"{SITE}/rss.xml", f"{SITE}/feedback.csv"])
    assert SITEMAP in lists
    assert f"{SITE}/rss.xml" in lists
    assert f"{SITE}/feedback.csv" not in lists
    lists.begin_round()
    lists.learn(SITEMAP, None, {}, [])
    lists.begin_round()
    link, _ = lists.best(1.0)
    assert link.url == f"{SITE}/rss.xml"
    lists.take(link)
    assert lists.best(1.0)[1] < 1e-3


def test_what_was_learned_survives_a_snapshot(pages, lists):
    """Also through JSON, in which a checkpoint is stored."""
    waiting = f"{SITE}/old.html"
    read(lists, {pages.urls[2]: "1970-06-01", waiting: "1969-01-01"}, (waiting,))
    state = json.loads(json.dumps(lists.snapshot(), default=list))
    copy = ListSignals(pages, RefreshSettings())
    copy.restore(state)
    assert copy.factors().tolist() == lists.factors().tolist()
    assert copy.best(1.0) == lists.best(1.0)
    assert copy.waiting == lists.waiting == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02T00:00:00Z", DAY),
        ("1970-01-02T01:30:00.5+01:30", DAY),
        ("1970-01-01", DAY),
        ("Fri, 02 Jan 1970 00:00:00 GMT", DAY),
        ("Thu, 01 Jan 1970 19:00:00 -0500", DAY),
    ],
)
def test_dates_of_sitemaps_and_feeds_are_read(text, seconds):
    """ISO 8601 with and without a time, and the dates of mails."""
    assert read_date(text) == seconds


@given(st.text(max_size=80))
def test_any_text_is_a_number(text):
    """The same for the same text, so that a change is seen; no website can break it."""
    assert read_date(text) == read_date(text)


def test_a_date_that_has_changed_says_more_than_one_after_the_last_visit(pages, lists):
    """All pages are dated on the day of their visit; later one of them has another date."""
    read(lists, dict.fromkeys(pages.urls, "1970-06-01"))
    for place in range(3):
        lists.observe(place, 0, 20.0)
    read(lists, {**dict.fromkeys(pages.urls, "1970-06-01"), pages.urls[4]: "1970-06-02"})
    assert lists.factor(4) > 2 * lists.factor(5)


def test_lists_of_an_older_version_are_restored(pages, lists):
    """It had one class of flagged pages less."""
    read(lists, {pages.urls[0]: "1970-06-01"})
    state = lists.snapshot()
    state["factors"] = [row[:3] for row in state["factors"]]
    back = ListSignals(pages, RefreshSettings())
    back.restore(state)
    assert back.factors().tolist() == lists.factors().tolist()
