"""Which site a worker crawls first, when one that failed is tried again, what budgets count."""

from dataclasses import replace

import pytest

from datahound.errors import UserError
from datahound.fleet.control import Control, count_requests, read_control, write_figures
from datahound.fleet.orders import allow_round, begin_work, stop_work
from datahound.fleet.records import MOST_FAILURES, FleetSite, Group
from datahound.fleet.sessions import Session
from datahound.fleet.site_crawl import SiteEnding
from datahound.fleet.worker import judge_ending
from datahound.remote.objects import FolderObjects
from datahound.report.phrases import Cause
from datahound.runs import INTERRUPTED, Ended

NOW = 1e9
PLAIN = FleetSite("https://a.example/", "a")


def choose(*sites):
    return Group("g", (), sites).find_due(NOW).slug


def name(slug, **changed):
    return replace(PLAIN, slug=slug, **changed)


def test_priority_then_deadline_then_what_is_expected():
    """Each decides only where those before it are equal."""
    rich, poor = name("rich", files=90, requests=100), name("poor", requests=100)
    soon, later = name("soon", deadline=NOW + 9), name("later", deadline=NOW + 99)
    assert choose(poor, rich) == "rich"
    assert choose(later, rich, soon) == "soon"
    assert choose(rich, soon, name("first", priority=1)) == "first"


def test_a_deadline_that_has_passed_counts_no_longer():
    """The time goes to sites whose deadline can be met, and to those with more files."""
    missed = name("missed", deadline=NOW - 1)
    assert choose(missed, name("soon", deadline=NOW + 1)) == "soon"
    assert choose(missed, name("rich", files=90, requests=100)) == "rich"


def test_news_decide_after_a_refresh():
    """What was found and what is left to find, not the files that the site had before."""
    still = name("still", files=900, requests=1000, news={"new": 0, "requests": 100})
    lively = name("lively", files=5, requests=1000, news={"new": 9, "requests": 100})
    left = name("left", requests=1000, news={"new": 0, "requests": 10},
                left={"expected": 50.0, "requests": 90})  # fmt: skip
    assert choose(still, lively) == "lively"
    assert choose(still, lively, left) == "left"


def test_a_site_that_fails_waits_longer_each_time_and_is_given_up():
    """A minute, two, four and so on; a crawl that works starts the count anew."""
    failed = SiteEnding(Ended(Cause.NO_START_PAGE, "500", 1), 1, 0)
    site, pauses = PLAIN, []
    for _ in range(MOST_FAILURES - 1):
        site = judge_ending(site, failed, NOW)
        pauses.append(site.due - NOW)
    assert pauses == [60, 120, 240, 480, 960]
    worked = judge_ending(site, SiteEnding(Ended(Cause.EXHAUSTED, ""), 9, 1), NOW)
    assert (worked.is_finished, worked.failures) == (True, 0)
    given_up = judge_ending(site, failed, NOW)
    assert (given_up.is_finished, given_up.failures) == (True, MOST_FAILURES)


def test_a_failure_before_a_round_began_keeps_the_round():
    """The next try begins it; a first crawl that was completed instead does not count as one."""
    site = PLAIN.begin_round({"budget": 3})
    failed = judge_ending(site, SiteEnding(Ended(Cause.TROUBLE, "", 1), 0, 0), NOW)
    assert (failed.round, failed.limits) == (1, {"budget": 3})
    stopped = SiteEnding(Ended(Cause.INTERRUPTED, "", INTERRUPTED), 5, 0)
    assert judge_ending(site, stopped, NOW).round == 1
    completed = SiteEnding(Ended(Cause.EXHAUSTED, ""), 9, 1, round=0)
    assert judge_ending(site, completed, NOW).round == 0


def test_a_budget_counts_from_the_beginning_of_a_round(tmp_path):
    """Given twice it is the same budget; a new round has it anew, with the last limits."""
    objects = FolderObjects(tmp_path)
    begun, over = Group("g", (), (PLAIN,)), Group("g", (), (replace(PLAIN, due=None),))
    allow_round(objects, {"share": 0.1})
    write_figures(objects, "w", {"requests": 70, "running": {}, "at": NOW})
    Session(objects, "w", 60, number=lambda: "1")
    write_figures(objects, "w-1", {"requests": 7, "running": {}, "at": NOW})
    assert not begin_work(objects, [begun], 100)
    assert not read_control(objects).is_spent(count_requests(objects) + 22)
    assert read_control(objects).is_spent(count_requests(objects) + 23)
    stop_work(objects, stop=True)
    assert begin_work(objects, [over], 100)
    # Of workers that have ended nothing is kept, or the store would grow every night.
    assert count_requests(objects) == 7
    assert read_control(objects) == Control(budget=100, spent=7, limits={"share": 0.1})


def test_a_clock_that_went_wrong_holds_no_site_up():
    """A pause of more than an hour was written by a machine whose clock is ahead."""
    paused, ahead = name("paused", due=NOW + 900), name("ahead", due=NOW + 86_400)
    assert choose(paused, ahead) == "ahead"
    assert Group("g", (), (ahead,)).find_next_due(NOW) == NOW
    assert Group("g", (), (paused,)).find_next_due(NOW) == NOW + 900
    assert PLAIN.begin_round({}).is_due(0.0)


def test_other_options_make_a_site_due_again_that_failed_or_was_limited():
    """A mended option, a higher budget; a site that was crawled to its end is left alone."""
    wanted = name("x", options={"budget": "90"}, priority=3)
    ended = name("x", due=None, options={"budget": "9"})
    for cause in ("bad input", "requests spent", "time is up"):
        again = replace(ended, ended=cause).order_again(wanted)
        assert (again.due, again.options, again.priority) == (0.0, wanted.options, 3)
        assert replace(ended, ended=cause, options=wanted.options).order_again(wanted).is_finished
    assert replace(ended, failures=MOST_FAILURES).order_again(wanted).failures == 0
    assert replace(ended, ended="exhausted").order_again(wanted).is_finished
    waiting = replace(ended, due=NOW, failures=2).order_again(wanted)
    assert (waiting.due, waiting.failures) == (NOW, 2)


def test_figures_that_are_damaged_are_left_out(tmp_path, caplog):
    """Those of the other workers count."""
    objects = FolderObjects(tmp_path)
    write_figures(objects, "w", {"requests": 7, "running": {}, "at": NOW})
    for number, data in enumerate((b"{", b"[]", b'{"requests": null}')):
        objects.put(f"fleet/figures/{number}.json", data)
    assert count_requests(objects) == 7
    assert len(caplog.messages) == 3


def test_control_of_another_version_is_bad_input(tmp_path):
    """The line names the object."""
    objects = FolderObjects(tmp_path)
    objects.put("fleet/control.json", b'{"speed": 9}')
    with pytest.raises(UserError, match=r"fleet/control\.json"):
        read_control(objects)
