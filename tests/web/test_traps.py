"""Traps are recognised by clear signs; good URLs are not."""

import time

import pytest

from datahound.model import Skip
from datahound.settings import TrapSettings
from datahound.web.site import Traps

TRAPS = [
    ("https://a.org/x/x/x/x/", Skip.TRAP_REPEATING),
    ("https://a.org/a/b/a/b/a/b/a/b/c.html", Skip.TRAP_REPEATING),
    ("https://a.org/www.b.com/www.b.com/www.b.com/www.b.com/", Skip.TRAP_REPEATING),
    ("https://a.org/stats?statisticsYear=7749", Skip.TRAP_CALENDAR),
    ("https://a.org/calendar/2145/03/", Skip.TRAP_CALENDAR),
    ("https://a.org/calendar?date=0999-01-01", Skip.TRAP_CALENDAR),
    ("https://a.org/en/agenda/view/3021-12", Skip.TRAP_CALENDAR),
]
GOOD = [
    "https://a.org/",
    "https://a.org/data/2023/2023/2023/report.csv",
    "https://a.org/population?year=2050",
    "https://a.org/projections/population-2150.csv",
    "https://a.org/calendar/2024/03/",
    "https://a.org/table?id=7749&month=3",
    "https://a.org/series?sid=10000001",
    "https://a.org/a/b/c/d/e/f/g/h/i/j/k/l",
]


@pytest.mark.parametrize(("url", "reason"), TRAPS)
def test_a_trap_has_its_reason(url, reason):
    """Loops and calendars are told by their URLs alone."""
    assert Traps(TrapSettings()).objection(url) == reason


@pytest.mark.parametrize("url", GOOD)
def test_good_urls_pass(url):
    """An over-eager guard would hide data."""
    assert Traps(TrapSettings()).objection(url) is None


@pytest.mark.parametrize(
    "form",
    [
        "https://a.org/p;jsessionid={}",
        "https://a.org/p?PHPSESSID={}",
        "https://a.org/p?q=1&sid={}",
        "https://a.org/(S({}))/p",
    ],
)
def test_one_page_is_followed_under_one_session_id(form):
    """The first of them is followed: a site may have no other links."""
    traps = Traps(TrapSettings())
    ids = ["0123456789abcdef01", "fedcba987654321000", "abcdefabcdefabcdef"]
    found = [traps.objection(form.format(number)) for number in ids]
    assert found == [None, Skip.TRAP_SESSION, Skip.TRAP_SESSION]
    assert traps.objection(form.format(ids[0]).replace("/p", "/r")) is None


@pytest.mark.parametrize("unit", ["year", "?year", "&year=20", "/agenda", "/agenda/20", ";sid="])
def test_hostile_urls_are_judged_in_a_moment(unit):
    url = "https://a.example/x?" + unit * (200_000 // len(unit))
    begun = time.perf_counter()
    Traps(TrapSettings()).objection(url.replace("?", "", 1))
    Traps(TrapSettings()).objection(url)
    assert time.perf_counter() - begun < 1
