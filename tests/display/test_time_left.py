"""The time left never grows without a reason."""

from types import SimpleNamespace

from datahound.display.time_left import TimeLeft


def crawl(seconds, pace=1.0):
    waiting = 0 if seconds is None else round(seconds / pace)
    return SimpleNamespace(
        progress=SimpleNamespace(seconds_left=seconds, seconds_per_request=pace, waiting=waiting)
    )


def test_it_counts_down_and_says_why_it_grows():
    clock = [0.0]
    left = TimeLeft(lambda: clock[0])
    assert left.describe(crawl(None)) == ""
    assert left.describe(crawl(600)) == "at most 10m 00s"
    clock[0] = 60
    assert left.describe(crawl(545)) == "at most 9m 00s"
    more = left.describe(crawl(900))
    assert more == "at most 15m 00s, more than before: 300 more links to follow"
    clock[0] = 70
    assert "more links" in left.describe(crawl(890))
    clock[0] = 100
    assert left.describe(crawl(860)) == "at most 14m 20s"


def test_a_slower_site_is_a_reason():
    left = TimeLeft(lambda: 0.0)
    left.describe(crawl(600))
    text = left.describe(crawl(1800, 3.0))
    assert text == "at most 30m 00s, more than before: a request now takes 3.0s"


def test_a_countdown_does_not_end_before_the_crawl():
    clock = [0.0]
    left = TimeLeft(lambda: clock[0])
    left.describe(crawl(12))
    clock[0] = 20
    assert left.describe(crawl(5)) == "less than 10s"
