"""Early stopping."""

from hypothesis import given
from hypothesis import strategies as st

from datahound.crawl.stopping import EarlyStop
from datahound.settings import EarlyStopSettings


def run(slopes, **settings):
    """At which window it stops, for targets found per window of ten."""
    stop = EarlyStop(EarlyStopSettings(window=10, **settings))
    found = 0
    for window, slope in enumerate(slopes, 1):
        found += slope
        stop.observe(window * 10, found)
        if stop.barren:
            return window
    return None


def test_the_papers_rule():
    """μ starts at the first slope and moves by γ; 15 windows below ε in a row end it."""
    assert run([0] * 15) == 15
    assert run([0] * 14) is None
    # μ begins at 1.0 and shrinks by 0.95 a window: below 0.2 from the 32nd zero on
    assert run([10] + [0] * 100) == 1 + 32 + 14
    assert run([10] * 100) is None
    assert run(([0] * 14 + [200]) * 5) is None


def test_settings_decide():
    """Patience, decay and slope are settings."""
    assert run([0] * 9, patience=3) == 3
    assert run([10, 0, 0, 0], decay=1.0, patience=2) == 3


@given(st.lists(st.integers(1, 35), min_size=1, max_size=60))
def test_steps_of_any_size_cross_every_window(steps):
    """Retries make the count of GETs jump; no window is lost."""
    stop, gets = EarlyStop(EarlyStopSettings(window=10, patience=3)), 0
    for step in steps:
        gets += step
        stop.observe(gets, 0)
    assert stop.barren == (gets // 10 >= 3)


def test_a_snapshot_keeps_it():
    """A restored early stop ends where the original does."""
    one, two = (EarlyStop(EarlyStopSettings(window=10)) for _ in range(2))
    for window in range(1, 9):
        one.observe(window * 10, window)
    two.restore(one.snapshot())
    for window in range(9, 60):
        one.observe(window * 10, 9)
        two.observe(window * 10, 9)
        assert one.barren == two.barren
    assert one.barren
