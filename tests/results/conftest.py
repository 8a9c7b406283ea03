"""Fixtures: players who call a real server; the test process itself sends no notifications."""

import pytest

from players.social import notifications
from tests.api.conftest import ann, bob, new_player

__all__ = ["ann", "bob", "new_player"]


@pytest.fixture(autouse=True)
def _no_notifications(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "TELLERS", [])
