"""Whatever befalls workers and the store, and in whatever order: no worker writes too late."""

import logging

import fleet_model as model
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datahound.fleet.status import read_fleet
from datahound.remote.objects import open_objects

SLOW = settings(
    max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)


def check_trial(place, folder, seed):
    logging.disable(logging.WARNING)
    try:
        trial = model.Trial(open_objects(place), folder, seed)
        trial.go()
    finally:
        logging.disable(logging.NOTSET)
    assert read_fleet(trial.objects).is_finished
    # No site was asked by two at a time: nobody came back to it.
    assert model.find_returns(trial.asked) == []
    for versions in trial.objects.manifests.values():
        # Nobody wrote with an epoch or a lease that another had gone beyond.
        assert versions == sorted(versions)
        assert [lease for _, lease in versions] == sorted(lease for _, lease in versions)
    assert model.find_wrong_files(trial, folder / "pulled") == []
    return trial


@pytest.mark.slow
@SLOW
@given(seed=st.integers(0, 2**32 - 1))
def test_nobody_writes_too_late_into_a_folder(tmp_path_factory, seed):
    """Frozen, killed, refused, unanswered, repeated late: every site ends whole."""
    folder = tmp_path_factory.mktemp("model")
    check_trial(str(folder / "store"), folder, seed)


@pytest.mark.slow
@SLOW
@given(seed=st.integers(0, 2**32 - 1))
def test_nobody_writes_too_late_into_a_bucket(bucket, tmp_path_factory, seed):
    """The same rules, kept by conditional writes of S3."""
    place, _ = bucket
    folder = tmp_path_factory.mktemp("model")
    check_trial(f"{place}/{seed}-{folder.name}", folder, seed)
