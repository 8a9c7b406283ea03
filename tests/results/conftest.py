"""Fixtures: players who call a real server; the test process itself sends no notifications."""

from collections.abc import Callable

import pytest

from tests.api.conftest import ann, bob, new_player
from tests.players.conftest import replace_extensions

__all__ = ["ann", "bob", "new_player", "replace_extensions"]


@pytest.fixture(autouse=True)
def _no_notifications(replace_extensions: Callable[..., None]) -> None:
    replace_extensions(notify=lambda _player, _message: None)
