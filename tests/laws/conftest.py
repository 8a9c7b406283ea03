"""Registers the printed sheets for the laws that ask for them."""

from tests.rules.conftest import printed_sheets

__all__ = ["printed_sheets"]
