"""Both verifiers, for all tests of them."""

from collections.abc import Iterator

import pytest

from tests.rules.conftest import printed_sheets
from tests.verifier.judges import Judges

__all__ = ["printed_sheets"]


@pytest.fixture(scope="session")
def judges() -> Iterator[Judges]:
    judges = Judges()
    yield judges
    judges.close()
