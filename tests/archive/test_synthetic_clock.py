"""The clock of synthetic websites: what is there on a day, and what a refresh finds of it."""

import re
from collections import Counter
from html import unescape

import pytest

from datahound.archive import is_lapse, open_archive, open_lapse
from datahound.archive.synthetic.settings import parse_spec
from datahound.cli import run
from datahound.errors import UserError
from datahound.lab.refresh.policies import POLICIES
from datahound.lab.refresh.rounds import PolicyRun, count_checks, replay_rounds
from datahound.lab.refresh.site import LapseSite
from datahound.model import Fetch
from datahound.settings import RefreshSettings, Settings

SPEC = "synthetic:?pages=600&targets=240&linking=0.3&seed=4"


def site_on(day, more=""):
    return open_archive(f"{SPEC}&days={day}{more}")


def get(site, url):
    return site.get(Fetch(url))


def test_releases_appear_in_the_course_of_a_year():
    """Files are never taken away, and in the end all are there that a site without a clock has."""
    days = [set(site_on(day).targets()) for day in (0, 100, 200, 365, 900)]
    assert days[0] < days[1] < days[2] < days[3]
    assert days[3] == days[4] == set(open_archive(SPEC).targets())


@pytest.mark.parametrize("day", [0, 150])
def test_what_is_there_on_a_day_can_be_reached(day):
    """The truth that the site knows is what links lead to, and no link leads to what is to come."""
    site = site_on(day)
    seen, waiting, files = {site.seed}, [site.seed], set()
    while waiting:
        url = waiting.pop()
        answer = get(site, url)
        if answer is None or answer.status >= 400:
            assert answer is None or re.search("/archive/|/cgi-bin/", url), url
            continue
        if answer.status >= 300:
            links = [answer.headers["location"]]
        elif answer.headers["content-type"].startswith("text/html"):
            links = [unescape(link) for link in re.findall(r'href="([^"]+)"', answer.body.decode())]
        else:
            if not answer.headers["content-type"].startswith("image/"):
                files.add(url)
            continue
        fresh = {link for link in links if link.startswith("http")} - seen
        seen |= fresh
        waiting += fresh
    assert files == set(site.targets())
    assert len(files) == len(list(site.targets()))


def test_what_is_to_come_is_not_there():
    early, late = site_on(0), site_on(300)
    to_come = set(late.targets()) - set(early.targets())
    assert {get(early, url).status for url in to_come} == {404}
    assert {get(late, url).status for url in to_come} == {200}


def test_pages_move_and_leave_a_redirect():
    """An article has a new address from its day on."""
    early, late = site_on(0), site_on(365)
    old = {found.fetch.url for found in early if found.answer.body[:5] == b"<!DOC"}
    moved = [
        u for u in old if get(late, u).status == 301 and "/new-" in get(late, u).headers["location"]
    ]
    assert 1 <= len(moved) <= len(old) / 10
    for url in moved:
        assert get(late, get(late, url).headers["location"]).status == 200


def test_files_are_revised():
    """Some every week: other bytes, another validator and a later date; others never."""
    weeks = [site_on(7 * week, "&bodies=on&size_mb=0.02") for week in range(9)]
    versions = Counter()
    for url in weeks[0].targets():
        answers = [get(site, url) for site in weeks]
        tags = [answer.headers["etag"] for answer in answers]
        assert len({answer.body for answer in answers}) == len(set(tags))
        dates = [answer.headers["last-modified"] for answer in answers]
        assert len(set(dates)) == len(set(tags))
        versions[len(set(tags))] += 1
    assert versions[9] >= 1
    assert versions[1] > 0.7 * versions.total()


def test_a_site_over_time_has_its_weeks():
    """Days 0 and 7, and the last one; a URL has one version until it changes."""
    with_clock = open_lapse(f"{SPEC}&days=10")
    assert [date - with_clock.dates[0] for date in with_clock.dates] == [0, 7 * 86_400, 10 * 86_400]
    file = next(site_on(0).targets())
    assert with_clock.version(file, 0) == 0
    assert with_clock.version("https://elsewhere.example/", 0) is None
    assert is_lapse(f"{SPEC}&days=10")
    assert not is_lapse(SPEC)


def test_a_refresh_finds_what_the_clock_brings():
    """All of it on time with a request per page, and every revision with a check per file."""
    site = LapseSite(f"{SPEC}&days=40")
    new = [
        len(set(site_on(after).targets()) - set(site_on(before).targets()))
        for before, after in ((0, 7), (7, 14), (14, 21), (21, 28), (28, 35), (35, 40))
    ]
    results = replay_rounds(site, PolicyRun("hound", POLICIES["hound"], 0, 3.0), Settings())
    assert [result.new for result in results] == new
    assert [result.on_time for result in results] == new
    assert sum(new) > 0
    changes, caught = count_checks(site, 0, 1.0, RefreshSettings())
    assert changes == caught > 0


def test_the_command_goes_through_the_weeks(capfd):
    assert run(["replay", "synthetic:?pages=150&targets=40&days=14", "--json"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("wrong", ["days=-1", "days=x", "days=99999"])
def test_a_day_that_is_none_is_refused(wrong):
    with pytest.raises(UserError, match="days"):
        parse_spec(f"synthetic:demo?{wrong}")


def test_one_day_has_no_later_round(capfd):
    """One line, and exit status 2."""
    assert run(["replay", "synthetic:demo?days=0"]) == 2
    assert "one round only" in capfd.readouterr().err
