"""Sizes, durations and counts as people write and read them."""

import pytest

from datahound.errors import UserError
from datahound.units import parse_duration, parse_size, show_count, show_duration, show_size


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0), ("700", 700), ("700b", 700), ("2GB", 2_000_000_000), (" 2 gb ", 2_000_000_000),
        ("1k", 1000), ("1KiB", 1024), ("1.5 MiB", 1_572_864), ("0.5TB", 500_000_000_000),
        ("1GiB", 1 << 30),
    ],
)  # fmt: skip
def test_sizes_are_thousands_unless_binary(text, count):
    """A plain unit is a power of 1000, one with an i a power of 1024, no unit is bytes."""
    assert parse_size(text) == count


@pytest.mark.parametrize("text", ["", "GB", "-1", "1.GB", "1 iB", "2 GB 3", "1e3", "２GB x", "2PB"])
def test_other_sizes_are_refused(text):
    """What is not a size is a mistake of the user, named in the message."""
    with pytest.raises(UserError, match="is not a size: give bytes"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("45", 45), ("0.5", 0.5), ("45s", 45), ("90m", 5400), ("90 min", 5400), ("12H", 43_200),
        ("1d 30m", 88_200), ("1d6h", 108_000), ("1.5h", 5400), ("2sec", 2),
    ],
)  # fmt: skip
def test_durations_add_up(text, seconds):
    """Units add up, in any case, with or without spaces; a number alone is seconds."""
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "-5", "1 week", "1h 5", "5 5h", "1:30"])
def test_other_durations_are_refused(text):
    """What is not a duration is a mistake of the user, named in the message."""
    with pytest.raises(UserError, match="is not a duration: give seconds"):
        parse_duration(text)


def test_a_size_has_the_largest_unit_that_fits():
    """The unit changes at each thousand; bytes have no decimals; TB is the largest."""
    shown = [show_size(n) for n in (0, 999, 1000, 999_949, 1_500_000, 2e9, 3e12, 5e15)]
    assert shown == [
        "0 B", "999 B", "1.0 kB", "999.9 kB", "1.5 MB", "2.0 GB", "3.0 TB", "5000.0 TB",
    ]  # fmt: skip


def test_a_duration_has_its_two_largest_units():
    """Smaller units are cut, not rounded: a limit of an hour is not over before it is."""
    shown = [show_duration(n) for n in (0, 59.9, 60, 3599, 3600, 86_399, 86_400, 200_000)]
    assert shown == ["0s", "59s", "1m 00s", "59m 59s", "1h 00m", "23h 59m", "1d 00h", "2d 07h"]


def test_a_count_agrees_with_its_noun():
    """Only one of a thing is singular."""
    assert [show_count(n, "run") for n in (0, 1, 2, 12_345)] == [
        "0 runs", "1 run", "2 runs", "12,345 runs",
    ]  # fmt: skip
