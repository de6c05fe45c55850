"""Results that several tests read."""

import pytest
from made_results import SITES, run_into

from datahound.lab.experiments import EXPERIMENTS
from datahound.lab.runner import Experiment


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """All experiments, two runs, two sites."""
    path = tmp_path_factory.mktemp("lab") / "results"
    assert run_into(path, Experiment(SITES, EXPERIMENTS, runs=2)) == 0
    return path
