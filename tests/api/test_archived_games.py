"""Calls on a game whose log is in the archive: the same responses as before, and 503 while the archive is away."""

import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from games import runtime, tasks
from tests.api.client import Player
from tests.log.old_games import MARCH, partition, run, start
from tests.players.conftest import in_a_thread
from tests.webhooks.games import TestClock, step

PATHS = ("", "?version=20", "/events?after=3&limit=9", "/events?after=30", "/export", "/proof")
READ_FROM_THE_LOG = PATHS[1:]


@pytest.fixture
async def old_game(ann: Player, bob: Player) -> AsyncIterator[UUID]:
    """Played to its end in March of another year."""
    runtime.configure(listeners=())
    players = [UUID(ann.player["id"]), UUID(bob.player["id"])]

    def played() -> UUID:
        clock = TestClock(MARCH)
        game = step(clock, start(clock, *players), 400)
        assert game.is_over
        return UUID(game.id)

    march = partition()
    await in_a_thread(march.__enter__)
    yield await in_a_thread(played)
    await in_a_thread(runtime.end)
    await in_a_thread(march.__exit__, None, None, None)
    runtime.configure(listeners=tasks.COMMIT_LISTENERS)


async def told(player: Player, game: UUID) -> list[Any]:
    """The bodies, without the time of the response."""
    found = []
    for path in PATHS:
        response = await player.http.get(f"/games/{game}{path}")
        assert response.status_code == 200, f"{path}: {response.text}"
        is_json = response.headers["content-type"] == "application/json"
        found.append({**response.json(), "server_time": None} if is_json else response.text)
    listed = await player.get("/games?mine=true&status=finished")
    return [*found, listed["results"]]


async def test_an_archived_game_is_served_as_before_and_503_while_the_archive_is_away(
    ann: Player, old_game: UUID, tmp_path: Path
) -> None:
    before = await told(ann, old_game)
    archive = tmp_path / "archive"
    arguments = ("archive", "--older-than", "90", "--to", str(archive))
    await in_a_thread(call_command, *arguments, stdout=io.StringIO())
    assert await in_a_thread(run, "SELECT count(*) FROM games_event") == [(0,)]
    away = archive.rename(tmp_path / "away")
    for path in READ_FROM_THE_LOG:
        refused = await ann.get(f"/games/{old_game}{path}", 503)
        assert refused["code"] == "unavailable"
    away.rename(archive)
    assert await told(ann, old_game) == before
