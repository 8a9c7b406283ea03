"""The Hypothesis profile of all tests."""

from hypothesis import HealthCheck, settings

# Without a deadline per example, because tests share slow machines.
settings.register_profile(
    "shared_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("shared_machine")
