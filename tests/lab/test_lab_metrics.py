"""The curve of a crawl and its figures."""

from random import Random

import numpy as np
import pytest

from datahound.events import Fetched, TargetFound
from datahound.lab.metrics import Curve, read_heights, thin_curve
from datahound.model import Fetch, Kind, Link, Purpose

SEED = "https://www.a.example/"


def fetched(number, kind, size):
    return Fetched(number, Fetch(f"{SEED}{number}"), 200, kind, None, size)


def found(number, size):
    return TargetFound(number, Link(f"{SEED}{number}"), "text/csv", size)


@pytest.fixture
def curve():
    """Ten requests, of which the 2nd, 5th and 10th find targets of 100, 50 and 850 bytes."""
    curve = Curve()
    sizes = {2: 100, 5: 50, 10: 850}
    for number in range(1, 11):
        if number in sizes:
            events = [
                fetched(number, Kind.TARGET, sizes[number]), found(number, sizes[number]),
            ]  # fmt: skip
            curve.observe(events)
        else:
            curve.observe([fetched(number, Kind.OTHER, 10)])
    return curve


def test_targets_do_not_count_as_waste(curve):
    """Bytes of targets and other bytes are counted apart."""
    assert (curve.requests, curve.targets) == (10, 3)
    assert (curve.target_bytes, curve.other_bytes) == (1000, 70)
    assert curve.other_bytes_at == [10, 30, 70]


def test_a_head_is_no_target_volume(curve):
    """What a HEAD of a target brings is headers, not a part of the target."""
    probe = Fetch(f"{SEED}11", Purpose.PROBE)
    curve.observe([Fetched(11, probe, 200, Kind.TARGET, None, 75)])
    assert (curve.target_bytes, curve.other_bytes) == (1000, 145)


def test_requests_to_a_share(curve):
    """The share is rounded up to whole targets; one that was never found has no figure."""
    assert curve.requests_to(0.5, 3) == 5
    assert curve.requests_to(0.9, 3) == 10
    assert curve.requests_to(1 / 3, 3) == 2
    assert curve.requests_to(0.9, 4) is None
    assert curve.requests_to(0.9, 0) is None


def test_waste_to_a_share_goes_by_bytes(curve):
    """Half of the targets are little of the bytes: the large one comes last."""
    assert curve.other_bytes_to(0.1, 1000) == 10
    assert curve.other_bytes_to(0.15, 1000) == 30
    assert curve.other_bytes_to(0.9, 1000) == 70
    assert curve.other_bytes_to(0.9, 2000) is None
    assert curve.other_bytes_to(0.9, 0) is None


def test_bytes_received_to_a_share(curve):
    """All bytes up to the target that completes the share, targets and others."""
    assert curve.received_to(0.5, 3) == 100 + 50 + 30
    assert curve.received_to(0.9, 3) == 1000 + 70
    assert curve.received_to(0.9, 4) is None
    assert curve.received_to(0.9, 0) is None


def test_the_area_of_the_best_crawl_is_one():
    """A target per request from the first on is the largest area; none at all is 0."""
    assert Curve(found_at=[1, 2, 3]).area(3, 10) == 1.0
    assert Curve().area(3, 10) == 0.0
    assert Curve(found_at=[1]).area(0, 10) == 0.0


def test_the_area_is_that_under_the_steps():
    """Summed over requests: targets found so far, over those of the best crawl."""
    assert Curve(found_at=[2, 5, 10]).area(3, 10) == pytest.approx((9 + 6 + 1) / (10 + 9 + 8))
    assert Curve(found_at=[2, 99]).area(2, 10) == pytest.approx(9 / 19)


def test_rows_end_where_the_crawl_ends(curve):
    """One row per target and one for the end, each with all counts so far."""
    assert list(curve.rows()) == [
        (2, 1, 100, 10),
        (5, 2, 150, 30),
        (10, 3, 1000, 70),
        (10, 3, 1000, 70),
    ]


def made_points(found_at, end):
    """Points of a crawl that finds targets of equal size, with a request between any two."""
    rows = [(at, n, 100 * n, 10 * (at - n)) for n, at in enumerate(found_at, 1)]
    return (*rows, (end, len(rows), 100 * len(rows), 10 * (end - len(rows))))


def test_a_curve_is_a_step_from_one_target_to_the_next():
    """Before the first target there is none, and after the last no more."""
    points = made_points([3, 7], 20)
    at = np.array([0, 2.9, 3, 6.9, 7, 20, 99])
    assert list(read_heights(points, 0, 1, at)) == [0, 0, 1, 1, 2, 2, 2]


def test_a_long_curve_is_thinned():
    """To as many points as asked at most, in order, with the first and the last."""
    points = made_points(sorted(Random(1).sample(range(1, 9000), 1000)), 9000)
    thinned = thin_curve(points)
    assert len(thinned) == 100
    assert (thinned[0], thinned[-1]) == (points[0], points[-1])
    assert set(thinned) <= set(points)
    assert list(thinned) == sorted(thinned)
    assert thin_curve(points[:100]) == points[:100]
    assert thin_curve(()) == ()


@pytest.mark.parametrize("most", [25, 100])
@pytest.mark.parametrize("column", [1, 2])
def test_a_thinned_curve_is_read_as_the_whole_one(most, column):
    """However few points are kept: curves kept at different lengths are drawn side by side."""
    bursts = [*range(50, 150), *range(3000, 3400, 2), *range(7000, 8990, 5)]
    points = made_points(bursts, 9000)
    assert len(set(thin_curve(points, most))) == len(thin_curve(points, most))
    at = np.linspace(0, 9000, 500)
    whole = read_heights(points, 0, column, at)
    thinned = read_heights(thin_curve(points, most), 0, column, at)
    assert np.abs(whole - thinned).max() <= 0.005 * whole[-1]


def test_a_late_target_stays_late_in_a_thinned_curve():
    """The flat part before it is not drawn as a slope, nor the one after an early last target."""
    late = made_points([*range(1, 60), 5000], 5001)
    assert read_heights(thin_curve(late, 25), 0, 1, np.array([4999]))[0] == 59
    early = made_points(range(1, 61), 5001)
    assert read_heights(thin_curve(early, 25), 0, 1, np.array([61]))[0] == 60
