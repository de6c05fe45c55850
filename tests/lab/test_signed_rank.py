"""The signed-rank test."""

from itertools import product

import pytest
from scipy.stats import false_discovery_control, wilcoxon

from datahound.lab.report.signed_rank import adjust_by_holm, run_signed_rank, show_p


def p_by_counting(differences):
    """The p-value by trying every assignment of signs, with mean ranks of ties."""
    sizes = sorted(abs(d) for d in differences)
    ranks = [
        sum(i + 1 for i, size in enumerate(sizes) if size == abs(d)) / sizes.count(abs(d))
        for d in differences
    ]
    found = sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    low = sum(s <= found for s in sums) / len(sums)
    high = sum(s >= found for s in sums) / len(sums)
    return min(1.0, 2 * min(low, high))


@pytest.mark.parametrize("count", [5, 12, 30])
def test_the_p_value_is_scipys(count):
    """Without ties and zeros the p-value is that of scipy's exact test."""
    differences = [((7919 * i) % 101 - 40) / 10 + i / 1000 for i in range(1, count + 1)]
    expected = wilcoxon(differences, method="exact").pvalue
    assert run_signed_rank(differences).p == pytest.approx(expected)


@pytest.mark.parametrize(
    "differences",
    [
        [1, 1, 1, -1],
        [2, 2, -3, 1, 1, -1, 5],
        [1, 1, -2, 3, 3, 3, -4],
        [1, 1, 1, 1, -2, 9],
        [0.5, -0.5],
        [3, 3, 3, 3, 3, 3],
        [-1, -2, -2, -4],
    ],
)
def test_ties_share_their_rank(differences):
    """With ties the p-value is exact too, which scipy's is not: it equals a full count."""
    assert run_signed_rank(differences).p == pytest.approx(p_by_counting(differences))


def test_equal_pairs_are_left_out():
    """Pairs without a difference count for nothing; without any others nothing is significant."""
    assert run_signed_rank([0.0, 0.0]) == run_signed_rank([])
    assert run_signed_rank([]).p == 1.0
    assert run_signed_rank([0.0, 1.0, 2.0]) == run_signed_rank([1.0, 2.0])


def test_wins_are_counted():
    """How many pairs differ, and in how many the difference is positive."""
    test = run_signed_rank([1.0, -2.0, 3.0, 0.0])
    assert (test.pairs, test.positive) == (3, 2)


def test_the_sign_does_not_matter():
    """The test is two-sided."""
    differences = [1.0, 2.5, -3.0, 4.0, 7.0, 8.0]
    assert run_signed_rank(differences).p == run_signed_rank([-d for d in differences]).p


def test_noise_of_floating_point_is_a_tie():
    """Differences that differ in the last bits have the same rank."""
    assert run_signed_rank([0.1 + 0.2, -0.3, 5]).p == run_signed_rank([0.3, -0.3, 5]).p


def test_many_pairs():
    """Where the assignments are too many for a float (from 1,024 pairs on), p is still right."""
    assert run_signed_rank([(-1) ** i * i for i in range(1, 1101)]).p > 0.9
    assert run_signed_rank(range(1, 301)).p == pytest.approx(0, abs=1e-80)


def test_several_tests_are_adjusted():
    """Holm's method: the smallest p-value is multiplied most, and order is kept."""
    assert adjust_by_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_by_holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert adjust_by_holm([0.2]) == [0.2]
    assert adjust_by_holm([]) == []


def test_holm_is_stricter_than_false_discovery():
    """An adjusted value is at least the raw one and that of the Benjamini-Hochberg method."""
    raw = [0.001, 0.01, 0.02, 0.04, 0.3]
    milder = false_discovery_control(raw)
    for p, adjusted, mild in zip(raw, adjust_by_holm(raw), milder, strict=True):
        assert p <= mild <= adjusted + 1e-12


def test_a_tiny_p_is_not_zero():
    """What is shown is never 0.000."""
    assert [show_p(p) for p in (0.0, 0.0009, 0.001, 0.0496, 1.0)] == [
        "< 0.001", "< 0.001", "0.001", "0.050", "1.000",
    ]  # fmt: skip
