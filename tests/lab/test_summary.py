"""Several runs in one figure."""

import math

import pytest

from datahound.lab.report.summary import find_lowest, summarize_runs


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1, 2, 3], "2.0 ± 1.0"),
        ([1], "1.0"),
        ([1, None], "1.0 (1/2)"),
        ([1, 3, None], "2.0 ± 1.4 (2/3)"),
        ([1, math.inf], "1.0 (1/2)"),
        ([None, None], "+∞"),
        ([], "–"),
    ],
)
def test_a_summary_shows_what_was_reached(values, text):
    """Mean and sample deviation; no spread for one run; how many reached it; never; no runs."""
    assert summarize_runs(values).show() == text


def test_digits_are_chosen():
    """Mean and spread have the same number of digits."""
    assert summarize_runs([1, 2]).show(3) == "1.500 ± 0.707"
    assert summarize_runs([1, 2]).show(0) == "2 ± 1"


def test_values_are_read_once():
    """A generator will do."""
    assert summarize_runs(iter([2.0, 4.0])).mean == 3.0


def test_the_lowest_was_always_reached():
    """A crawler that some run of never reached it is not the best; what looks equal is."""
    summaries = [summarize_runs(v) for v in ([1, None], [5.01], [5.02], [7], [])]
    assert find_lowest(summaries) == {1, 2}
    assert find_lowest(summaries, digits=2) == {1}
    assert find_lowest([summarize_runs([None]), summarize_runs([])]) == set()
