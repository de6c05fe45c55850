"""The report's charts and words."""

import re

import pytest

from datahound.learn.remaining import Remaining
from datahound.report import charts
from datahound.report.estimate import describe_next, describe_remaining, round_roughly
from datahound.report.format import describe_error
from datahound.report.words import find_section, name_type


def numbers(path):
    return [float(n) for n in re.findall(r"-?[\d.]+", path)]


@pytest.mark.parametrize("targets", [0, 1, 7, 100_000])
def test_a_curve_has_a_few_hundred_points_within_its_frame(targets):
    """However many targets there are; the last point is the crawl's end."""
    curve = charts.draw_report_curve([10 * n + 1 for n in range(targets)], 10 * targets + 5)
    points = numbers(curve["line"])
    assert len(points) <= 2 * 250
    assert all(0 <= x <= charts.WIDTH for x in points)
    assert points[-2] == charts.WIDTH - charts.RIGHT
    assert all(tick["at"] <= charts.WIDTH - charts.RIGHT for tick in curve["across"])


def test_a_longer_curve_beside_it():
    """Breadth-first order may take more requests than the crawl: both fit."""
    curve = charts.draw_report_curve([1, 2, 3], 10, [5, 10, 40])
    assert max(numbers(curve["bfs"])[::2]) == charts.WIDTH - charts.RIGHT
    assert max(numbers(curve["line"])[::2]) < charts.WIDTH / 2


def test_years_long_ago_stand_together():
    """A column a year for the last forty; what is older is counted."""
    chart = charts.draw_columns({1960: 2, 2000: 3, 2024: 5})
    assert len(chart["columns"]) == 40
    assert chart["older"] == 2
    assert charts.draw_columns({}) is None
    assert len(charts.draw_columns({2020: 1})["columns"]) == 1


def test_rows_beyond_the_largest_are_counted():
    """The rest is one row, unless it would stand for one only."""
    rows, more = charts.rank_bars({str(n): n for n in range(1, 21)}, {"1": 7}, 5)
    assert [row["count"] for row in rows] == [20, 19, 18, 17, 16]
    assert more == {"kinds": 15, "count": 120, "bytes": 7}
    assert charts.rank_bars({"a": 2, "b": 1}, {}, 1)[1] is None
    assert charts.rank_bars({}, {}, 3) == ([], None)


def test_the_bar_of_what_is_left_is_whole():
    """Its parts are the whole, even when nothing was found."""
    assert charts.draw_outlook(100, 50, 100) == {"found": 50.0, "likely": 25.0, "high": 25.0}
    assert charts.draw_outlook(0, 0, 0) == {"found": 0.0, "likely": 0.0, "high": 0.0}


@pytest.mark.parametrize(
    ("remaining", "said"),
    [
        (Remaining(40, 5, 160, 30), "Probably about 40 more files (between 5 and 160)."),
        (Remaining(1, 0, 3, 30), "Probably about 1 more file (between 0 and 3)."),
        (Remaining(0, 0, 1, 30), "Probably none, at most about 1 file."),
        (Remaining(0, 0, 0, None), "Probably none."),
    ],
)
def test_what_is_left_in_words(remaining, said):
    """One sentence that everybody understands."""
    assert describe_remaining(remaining) == said


@pytest.mark.parametrize(
    ("cost", "seconds", "said"),
    [
        (30.2, 1.0, "about 30 requests, half a minute."),
        (1.0, 1.0, "about 1 request, a second."),
        (240.0, 1.0, "about 240 requests, 4 minutes."),
        (8000.0, 1.0, "about 8,000 requests, 2h 13m."),
        (30.0, None, "about 30 requests."),
    ],
)
def test_the_next_one_in_words(cost, seconds, said):
    """Requests, and the time that they take at the pace of late."""
    assert describe_next(Remaining(5, 1, 9, cost), seconds).endswith(said)
    assert describe_next(Remaining(0, 0, 0, cost), seconds) == ""


def test_words():
    """Types and statuses as people say them; what is unknown stays as it is."""
    assert name_type("application/pdf") == "PDF documents"
    assert name_type("x/<y>") == "x/<y>"
    assert describe_error(599, "") == "status 599"
    assert describe_error(503, "") == "503 service unavailable"
    assert describe_error(None, "status 404 in words") == "status 404 in words"
    assert find_section("javascript:alert(1)", "a.example") == "/"
    assert find_section("https://a.example", "a.example") == "/"
    assert round_roughly(99_999) == "100,000"
