"""The charts of dashboard and report."""

import re

import pytest

from datahound.report import charts
from datahound.report.charts import draw_curve


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


def test_a_curve_of_any_length_is_drawn_with_few_points():
    """A million requests cost no more to draw than a thousand."""
    chart = draw_curve(range(0, 1_000_000, 10), 1_000_000)
    assert len(chart["points"]) < 400
    assert chart["points"][-1] == (1_000_000, 100_000)
    assert draw_curve([], 0)["targets"] == 0
    assert draw_curve([1], 1)["points"][-1] == (1, 1)
