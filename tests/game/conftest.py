"""How much hypothesis tries in tests of the aggregate, and the printed sheets for those that ask for them."""

from tests.rules.conftest import printed_sheets

__all__ = ["printed_sheets"]
