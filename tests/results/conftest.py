"""Players who call a real server, as in the tests of the API; in this process itself nobody is told anything."""

import pytest

from players.social import notifications
from tests.api.conftest import ann, bob, new_player

__all__ = ["ann", "bob", "new_player"]


@pytest.fixture(autouse=True)
def _nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "TELLERS", [])
