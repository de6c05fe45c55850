"""What is saved of one run."""

import pytest
from made_results import ignore, make_site

from datahound.archive import open_archive
from datahound.lab.experiments import PlannedRun
from datahound.lab.runner import list_settings, measure_run
from datahound.lab.trials import TrialGround
from datahound.parameters import parameters, with_parameters
from datahound.settings import Settings


@pytest.fixture(scope="module")
def ground():
    return TrialGround(open_archive("synthetic:demo?pages=100"), Settings(), ignore)


def measured(ground, planned, **changes):
    totals = {"targets": ground.census.targets, "target_bytes": ground.census.target_bytes}
    site = make_site("demo", **(totals | changes))
    return measure_run(ground, planned, Settings(), site, "1.2.3")


def test_figures_are_measured_against_the_site(ground):
    """Shares are of the site's targets, and the area ends at its requests."""
    figures = measured(ground, PlannedRun("bfs", 0)).figures
    assert figures.key == ("demo", "bfs", "", 0)
    assert figures.version == "1.2.3"
    assert figures.targets == figures.total_targets == ground.census.targets
    assert figures.requests_to_50 < figures.requests_to_90 <= figures.requests_to_99
    more = measured(ground, PlannedRun("bfs", 0), targets=10 * ground.census.targets).figures
    assert more.requests_to_90 is None
    longer = measured(ground, PlannedRun("bfs", 0), requests=10**6).figures
    assert longer.area > figures.area


def test_only_the_studied_crawler_is_watched_closely(ground):
    """Its guesses and rewards are counted; of others they are 0 and not shown."""
    studied = measured(ground, PlannedRun("sb-classifier", 0))
    assert studied.figures.misclassified is not None
    assert studied.figures.page_reward_mean >= 1
    assert studied.groups
    other = measured(ground, PlannedRun("hound", 0))
    assert other.figures.misclassified is None
    assert (other.figures.page_reward_mean, other.groups) == (0.0, ())


def test_a_variant_has_a_curve_and_no_groups(ground):
    """Figures compare variants, no table shows their groups; its settings are in its row."""
    record = measured(ground, PlannedRun("sb-classifier", 0, "ngram=3"))
    assert record.points
    assert record.groups == ()
    assert record.settings["ngram"] == "3"
    assert record.figures.misclassified is not None


def test_the_same_seed_gives_the_same_figures(ground):
    """Time is all that differs."""
    one, two = (measured(ground, PlannedRun("random", 7)).figures for _ in range(2))
    assert (one.requests_to_90, one.area) == (two.requests_to_90, two.area)
    assert measured(ground, PlannedRun("random", 8)).figures.area != one.area


def test_every_setting_is_listed():
    """By name, as text, changed ones as they were changed."""
    settings = with_parameters(Settings(), ["ngram=3", "max_requests=9"])
    row = list_settings(settings)
    assert list(row) == [parameter.name for parameter in parameters()]
    assert (row["ngram"], row["max_requests"]) == ("3", "9")
