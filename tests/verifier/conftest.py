"""The fixture with both verifiers."""

from collections.abc import Iterator

import pytest

from tests.verifier.both_verifiers import BothVerifiers


@pytest.fixture(scope="session")
def verifiers() -> Iterator[BothVerifiers]:
    verifiers = BothVerifiers()
    yield verifiers
    verifiers.close()
