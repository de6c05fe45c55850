"""Rates of rare events: posteriors over directories, and what this round has shown."""

import numpy as np
import pytest

from datahound.refresh.rates import ClassFactors, LeafRates

URLS = [f"https://e.example/{name}/{n}.html" for name in ("a", "b") for n in range(10)]


@pytest.fixture
def rates():
    made = LeafRates(2.0, 3.0, np.random.default_rng(0))
    made.add_leaves(URLS)
    made.assume(1.0, 10.0)
    made.begin_round(1.0)
    return made


def test_a_leaf_that_had_events_is_expected_to_have_more(rates):
    """Its own rate rises most, that of its directory a bit, the other directory's least."""
    rates.observe(0, 5, 1.0)
    found = rates.rates(sampled=False)
    assert found[0] > found[1] > found[10]


def test_leaves_without_events_fall_below_their_like(rates):
    """Looking without finding counts, for the leaf and for its directory."""
    for place in range(5):
        rates.observe(place, 0, 1.0)
    found = rates.rates(sampled=False)
    assert found[0] < found[9] < found[10]


def test_what_a_round_has_shown_is_forgotten_after_it(rates):
    """A burst raises a directory in its round more than later."""
    for place in range(5):
        rates.observe(place, 3, 1.0)
    now = rates.rates(sampled=False)[9] / rates.rates(sampled=False)[19]
    rates.begin_round(1.0)
    later = rates.rates(sampled=False)[9] / rates.rates(sampled=False)[19]
    assert now > later > 1


def test_samples_have_the_posterior_mean(rates):
    """On average over many rounds, a directory's sample is its mean."""
    rates.observe(0, 4, 2.0)
    rates.begin_round(1.0)
    mean = rates.rates(sampled=False)[5]
    drawn = []
    for _ in range(3000):
        rates.begin_round(1.0)
        drawn.append(rates.rates(sampled=True)[5])
    assert np.mean(drawn) == pytest.approx(mean, rel=0.1)


def test_a_snapshot_goes_on_alike(rates):
    """Rates, sums of this round and luck are kept."""
    rates.observe(3, 2, 1.0)
    again = LeafRates(2.0, 3.0, np.random.default_rng(1))
    again.restore(rates.snapshot())
    assert np.allclose(again.rates(sampled=True), rates.rates(sampled=True))
    again.add_leaves([*URLS, "https://e.example/c/d/new.html"])
    assert len(again.rates(sampled=True)) == 21


def test_classes_learn_their_factor():
    """A class with twice the events that were expected tends to the factor 2."""
    classes = ClassFactors(2, 1.0)
    for _ in range(100):
        classes.learn(1, 2, 1.0)
    assert classes.factors() == pytest.approx([1, 2], rel=0.05)


def test_rates_say_how_many_events_they_were_learned_from():
    """What is believed at first, and what was observed."""
    rates = LeafRates(2.0, 3.0, np.random.default_rng(0))
    rates.add_leaves(["https://site.example/a"])
    rates.assume(0.5, 10.0)
    rates.observe(0, 3.0, 1.0)
    assert rates.evidence == 3.5
