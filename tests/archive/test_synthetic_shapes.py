"""Shares by depth and shapes of sections: exact totals, and the mean asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.synthetic.shapes import (
    Plot,
    files_by_level,
    grow_shapes,
    holders_by_level,
    level_shares,
    mean_level,
)


@pytest.mark.parametrize("mean", [1.5, 3.0, 5.0, 12.0, 40.0, 120.0])
@pytest.mark.parametrize("std", [0.3, 1.5, 4.0, 30.0])
def test_shares_have_the_mean_asked_for(mean, std):
    shares = level_shares(mean, std)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == 0
    assert mean_level(shares) == pytest.approx(mean, rel=0.01)


def test_a_wider_spread_reaches_deeper():
    assert len(level_shares(5, 3)) > len(level_shares(5, 1))


@given(st.integers(0, 500), st.lists(st.integers(0, 200), min_size=2, max_size=12))
def test_holders_fill_the_room_that_is_there(holders, room):
    room[0] = 0
    shares = level_shares(3, 1)
    placed = holders_by_level(holders, shares, room)
    assert sum(placed) == min(holders, sum(room))
    assert all(number <= most for number, most in zip(placed, room, strict=True))


@given(st.lists(st.integers(0, 50), min_size=3, max_size=10), st.integers(0, 1000))
def test_every_holder_has_a_file_and_no_file_is_lost(holders, extra):
    shares = level_shares(2, 1)
    files = files_by_level(sum(holders) + extra, holders, shares, 2.0)
    assert all(number >= held for number, held in zip(files, holders, strict=True))
    assert sum(files) == sum(holders) + (extra if any(holders) else 0)


def test_files_have_the_mean_depth_asked_for():
    holders = [0, 5, 20, 30, 20, 5]
    for mean in (2.0, 3.0, 4.0):
        files = files_by_level(2000, holders, level_shares(mean, 1), mean)
        assert mean_level(files) == pytest.approx(mean, abs=0.05)


@pytest.mark.parametrize("pages", [30, 500, 20_000])
@pytest.mark.parametrize("fan", [20, 100])
def test_shapes_have_exactly_the_pages_asked_for(pages, fan):
    plots = [Plot(1.0, 1), Plot(3.0, 1), Plot(0.5, 1, leafy=False)]
    shapes = grow_shapes(plots, pages, level_shares(4, 1.5), fan)
    assert sum(sum(shape.spine) + sum(shape.leaves) for shape in shapes) == pages
    for shape in shapes:
        assert shape.spine[0] == 1
        assert shape.leaves[0] == 0
    assert sum(shapes[2].leaves) == 0


@pytest.mark.parametrize("fan", [20, 45])
def test_no_page_has_more_under_it_than_the_fan(fan):
    (shape,) = grow_shapes([Plot(1.0, 1)], 5000, level_shares(4, 1.5), fan)
    for step in range(1, len(shape.leaves)):
        assert shape.leaves[step] <= fan * shape.spine[step - 1]
    for step in range(1, len(shape.spine)):
        most = fan if step <= shape.branch else 1
        assert shape.spine[step] <= most * shape.spine[step - 1]


def test_a_heavier_section_has_more_pages():
    light, heavy = grow_shapes([Plot(1.0, 1), Plot(4.0, 1)], 5000, level_shares(4, 1.5), 45)
    assert 2 * sum(light.leaves) < sum(heavy.leaves)
