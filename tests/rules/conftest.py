"""The Hypothesis profile of all tests, and the fixture that registers the printed sheets."""

import pytest
from hypothesis import HealthCheck, settings

from tests.rules.printed import registered

# Without a deadline per example, because tests share slow machines.
settings.register_profile(
    "shared_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("shared_machine")

printed_sheets = pytest.fixture(registered, scope="module", name="printed_sheets")
