"""How much hypothesis tries in tests of rules, and the printed sheets for those that ask for them."""

import pytest
from hypothesis import HealthCheck, settings

from tests.rules.printed import registered

# A shared machine's slowness is no failure.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("house")

printed_sheets = pytest.fixture(registered, scope="module", name="printed_sheets")
