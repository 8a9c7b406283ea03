"""Registers the printed sheets for tests of the aggregate that ask for them."""

from tests.rules.conftest import printed_sheets

__all__ = ["printed_sheets"]
