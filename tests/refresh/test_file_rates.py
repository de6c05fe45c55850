"""Which files are checked first."""

import numpy as np
import pytest

from datahound.refresh.files import FileChecks, read_year
from datahound.settings import RefreshSettings

DAY = 86400.0
URLS = [f"https://e.example/{name}/f{n}.csv" for name in ("a", "b") for n in range(10)]


@pytest.fixture
def checks():
    made = FileChecks(RefreshSettings(), np.random.default_rng(0))
    made.add_all((url, 0.0) for url in URLS)
    made.begin_round(DAY)
    return made


def test_the_like_of_a_changed_file_are_checked_next(checks):
    """Files of its directory and type rise above all others."""
    checks.learn(URLS[0], DAY, 2020, changed=True)
    expected = checks.expect(DAY, 2020)
    assert expected[1:10].min() > expected[10:].max()
    assert expected[0] == 0.0, "it was checked just now"


def test_files_of_past_years_are_learned_to_stay(checks):
    """Names with a past year fall where they were seen not to change."""
    old = [f"https://e.example/c/f-2010-{n}.csv" for n in range(20)]
    new = [f"https://e.example/c/f-{n}.csv" for n in range(20)]
    checks.add_all((url, 0.0) for url in (*old, *new))
    for n in range(10):
        checks.learn(old[n], DAY, 2020, changed=False)
        checks.learn(new[n], DAY, 2020, changed=True)
    expected = dict(zip(checks.urls, checks.expect(DAY, 2020), strict=True))
    assert expected[old[15]] < expected[new[15]]


def test_a_snapshot_goes_on_alike(checks):
    """All that was learned is kept."""
    checks.learn(URLS[3], DAY, 2020, changed=True)
    again = FileChecks(RefreshSettings(), np.random.default_rng(1))
    again.restore(checks.snapshot())
    assert np.allclose(again.expect(2 * DAY, 2020), checks.expect(2 * DAY, 2020))


def test_years_in_names():
    """The last year of the path counts; digits inside longer numbers do not."""
    assert read_year("https://e.example/2019/q3-2021.csv") == 2021
    assert read_year("https://e.example/120190.csv?y=2020") == 0
