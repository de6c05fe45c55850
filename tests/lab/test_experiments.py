"""Which runs an experiment needs."""

import pytest

from datahound.errors import UserError
from datahound.lab.experiments import (
    CLASSIFIERS,
    EXPERIMENTS,
    GRID,
    PlannedRun,
    choose_experiments,
    name_classifier_variant,
    name_variant,
    plan_runs,
)
from datahound.parameters import with_parameters
from datahound.settings import Settings
from datahound.strategies import BUILT_IN


def test_no_run_is_planned_twice():
    """Experiments that need the same crawl share it; crawlers that are not random run once."""
    planned = plan_runs(EXPERIMENTS, 3, Settings())
    assert len(planned) == len(set(planned))
    assert sum(run.strategy == "bfs" for run in planned) == 1
    assert sum(run.strategy == "sb-oracle" for run in planned) == 3 * 16
    assert sum(run.strategy == "sb-classifier" for run in planned) == 3 * 9
    assert {run.strategy for run in planned} == set(BUILT_IN)


def test_first_seeds_come_first():
    """An interrupted experiment has one run of everything before it has two of anything."""
    seeds = [run.seed for run in plan_runs(EXPERIMENTS, 3, Settings())]
    assert seeds == sorted(seeds)


@pytest.mark.parametrize(
    ("experiment", "variants"),
    [
        ("characteristics", 0),
        ("crawlers", len(BUILT_IN)),
        ("hyperparameters", 7),
        ("classifiers", 8),
        ("rewards", 1),
        ("early-stopping", 1),
        ("policies", 5),
        ("dimension", 4),
        ("departures", 9),
    ],
)
def test_each_experiment_has_its_variants(experiment, variants):
    """The grid shares its defaults, so nine values are seven variants."""
    assert len(plan_runs([experiment], 1, Settings())) == variants


def test_only_the_chosen_crawlers_run():
    """A choice of crawlers narrows `crawlers` and nothing else."""
    planned = plan_runs(["crawlers", "rewards"], 1, Settings(), ["bfs", "dfs"])
    assert [run.strategy for run in planned] == ["bfs", "dfs", "sb-classifier"]


def test_a_value_that_is_set_already_is_not_a_variant():
    """The paper's default in a grid is the run with the settings as they are."""
    base = with_parameters(Settings(), ["ngram=3"])
    assert name_variant(base, "ngram=3") == ""
    assert name_variant(base, "ngram=2") == "ngram=2"
    assert name_variant(base, "ngram=3", "exploration=30") == "exploration=30"
    trial = PlannedRun("sb-oracle", 0, "ngram=2").make_trial(base)
    assert trial.settings.strategy.actions.ngram == 2


def test_the_default_classifier_is_not_a_variant():
    """lr on URLs is the studied crawler itself; every other classifier has a name."""
    names = [name_classifier_variant(Settings(), *c) for c in CLASSIFIERS]
    assert names[0] == ""
    assert len(set(names)) == 8
    assert names[-1] == "model=pa features=context"


def test_the_grid_has_the_defaults():
    """Each hyper-parameter is studied around its default."""
    for name, values in GRID.items():
        assert sum(name_variant(Settings(), f"{name}={value}") == "" for value in values) == 1


def test_experiments_by_name():
    """Named ones in their order; all for none or `all`; an unknown one is refused with the list."""
    assert choose_experiments(["rewards", "crawlers"]) == ("crawlers", "rewards")
    assert choose_experiments([]) == choose_experiments(["all"]) == EXPERIMENTS
    assert choose_experiments(["rewards", "all"]) == EXPERIMENTS
    with pytest.raises(UserError, match="unknown experiment 'x': choose one of characteristics"):
        choose_experiments(["x", "crawlers"])
