"""The fixture with both verifiers."""

from collections.abc import Iterator

import pytest

from tests.rules.conftest import printed_sheets
from tests.verifier.both_verifiers import BothVerifiers

__all__ = ["printed_sheets"]


@pytest.fixture(scope="session")
def verifiers() -> Iterator[BothVerifiers]:
    verifiers = BothVerifiers()
    yield verifiers
    verifiers.close()
