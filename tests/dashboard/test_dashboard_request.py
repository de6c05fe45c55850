"""Parameters of pages, which anybody may have written."""

import pytest

from datahound.dashboard.request import PageRequest, Parameters


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ("0", 0), ("17", 17), ("007", 7), ("", None), ("-1", None), ("1.5", None), ("1e3", None),
        (" 1", None), ("٣", None), ("²", None), ("9" * 16, 1 << 53), ("9" * 17, None),
        ("9" * 5000, None), ("x", None),
    ],
)  # fmt: skip
def test_numbers_are_plain_digits_that_scripts_can_hold(given, number):
    assert Parameters({"n": given}).number("n") == number


@pytest.mark.parametrize(
    ("given", "text"), [("  a b ", "a b"), ("", ""), ("x" * 9000, "x" * 4000), ("\x00", "\x00")]
)
def test_texts_are_bounded(given, text):
    assert Parameters({"q": given}).text("q") == text


def test_what_is_not_given():
    request = PageRequest(None, {})
    assert (request.text("q"), request.number("n"), request.part) == ("", None, 0)
