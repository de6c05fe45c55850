"""Files of a synthetic website: sizes, formats and names from their numbers alone."""

from collections import Counter
from email.utils import parsedate_to_datetime
from statistics import mean, pstdev

import pytest

from datahound.archive.synthetic import SyntheticSettings
from datahound.archive.synthetic.layout import plan_sections
from datahound.archive.synthetic.settings import MIN_BODY
from datahound.archive.synthetic.targets import MIME_TYPES, make_sizes, make_targets

SETTINGS = SyntheticSettings(pages=3000, targets=2000, extensionless=0.25)
TARGETS = make_targets(SETTINGS, plan_sections(SETTINGS))
ALL = [TARGETS[number] for number in range(2000)]


def test_a_number_gives_one_file():
    assert [target.number for target in ALL] == list(range(2000))
    assert TARGETS[7] == TARGETS[7]
    assert len(TARGETS) == 2000


@pytest.mark.parametrize("number", [-1, 2000, 10**9])
def test_other_numbers_are_no_files(number):
    with pytest.raises(IndexError):
        TARGETS[number]


@pytest.mark.parametrize("number", [1, 2, 10, 1000])
@pytest.mark.parametrize("spread", [0.0, 1.0, 6.0])
def test_sizes_have_exactly_the_mean_asked_for(number, spread):
    settings = SyntheticSettings(pages=5000, targets=number, size_mb=2.0, size_std_mb=spread)
    sizes = make_sizes(settings)
    found = [sizes.of(n) for n in range(number)]
    assert mean(found) == pytest.approx(2e6, rel=0.01)
    assert min(found) >= 400


def test_a_larger_spread_has_larger_files():
    settings = [SyntheticSettings(size_std_mb=spread) for spread in (0.5, 6.0)]
    narrow, wide = ([make_sizes(s).of(n) for n in range(2500)] for s in settings)
    assert pstdev(narrow) < pstdev(wide)
    assert max(narrow) < max(wide)


def test_small_files_have_formats_that_can_be_small():
    small = {target.format for target in ALL if target.size < MIN_BODY}
    assert small <= {"csv", "json"}
    assert {target.format for target in ALL} == set(MIME_TYPES)


def test_formats_are_as_frequent_as_on_real_sites():
    counts = Counter(target.format for target in ALL if target.size >= MIN_BODY)
    assert counts["pdf"] > counts["csv"] > counts["ods"]


def test_the_share_without_extension_is_as_asked():
    assert mean(target.hidden for target in ALL) == pytest.approx(0.25, abs=0.04)


def test_redirected_files_need_redirects():
    assert mean(target.moved for target in ALL) == pytest.approx(0.02, abs=0.01)
    settings = SyntheticSettings(pages=3000, targets=500, redirects=0.0)
    targets = make_targets(settings, plan_sections(settings))
    assert not any(targets[number].moved for number in range(500))


def test_a_file_was_modified_in_its_year():
    for target in ALL[::97]:
        modified = parsedate_to_datetime(target.modified)
        assert abs(modified.year - target.year) <= 1
        assert modified.timestamp() == target.modified_seconds
