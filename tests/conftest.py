"""Puts this folder on the path, so that all tests can import `websites`; settles Hypothesis."""

from hypothesis import HealthCheck, settings

# A loaded machine makes examples slow: this is no fault of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
