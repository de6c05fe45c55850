"""Puts this folder on the path, so that all tests can import `websites`; settles Hypothesis."""

import gc

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine makes examples slow: this is no fault of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture
def young_heap():
    """The garbage collector looks at new objects only: those of other tests take it a second."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
