"""`manage.py verify_log` reports sound logs, and the version of everything that was altered."""

import asyncio
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import runtime
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.events import Event, link
from games.log import audit, connections, snapshots, store
from players.database.ids import uuid7
from tests.engine.games import NOW, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> GameState:
    """A game in its second turn."""

    async def play(engine: Engine) -> GameState:
        game = await started(engine)
        while game.version <= snapshots.EVERY:  # so that there is a snapshot, and more
            game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
        return game

    game = runtime.call(play)
    runtime.end()
    return game


def verify(game: GameState | None = None) -> str:
    out = StringIO()
    try:
        call_command("verify_log", *([game.id] if game else []), stdout=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


def without_triggers(statement: str, *values: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(statement, values)
        cursor.execute("SET session_replication_role = DEFAULT")


def test_a_sound_log_is_reported_as_sound(game: GameState) -> None:
    assert verify() == verify(game) == "1 games are sound.\n"


def test_an_altered_row_is_named(game: GameState) -> None:
    without_triggers("UPDATE games_event SET body = replace(body, '1', '9') WHERE version = 5")
    assert f"{game.id}: version 5: the chain is broken" in verify()


def test_a_deleted_event_is_named(game: GameState) -> None:
    without_triggers("DELETE FROM games_event WHERE version = 3")
    assert f"{game.id}: version 3: the chain is broken" in verify(game)


def test_a_log_cut_short_is_named(game: GameState) -> None:
    without_triggers("DELETE FROM games_event WHERE version = %s", game.version)
    assert f"version {game.version}: the log does not end where the game says" in verify()


def test_another_seed_is_named(game: GameState) -> None:
    without_triggers("UPDATE games_seed SET secret = sha256('another')")
    assert "version 1: the seed is not the one that was committed to" in verify()


def test_an_altered_snapshot_is_named(game: GameState) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_snapshot SET state = replace(encode(state, 'escape'), 'private', 'publicc')::bytea"
        )
    assert "the folded state is not what the log gives" in verify()


def forged(game: GameState, type_: str, **data: Any) -> tuple[int, str] | None:
    """The flaw that is found when one event is altered and all later hashes are computed again."""

    async def read() -> tuple[int, str] | None:
        async with connections.connected(runtime.conninfo()) as connection:
            events = await store.events_after(connection, UUID(game.id), 0)
            tip = await store.load(connection, UUID(game.id))
        version = next(event.version for event in events if event.type == type_)
        chain: list[Event] = []
        for event in events:
            changed = {**event.data, **data} if event.version == version else event.data
            prev = chain[-1].hash if chain else event.prev
            chain.append(link(prev, event.game, event.version, event.type, event.v, event.at, changed))
        assert tip
        return audit.first_flaw(chain, tip._replace(head_hash=chain[-1].hash, snapshot=None))

    return asyncio.run(read())


def test_dice_that_do_not_follow_from_the_seed_are_named(game: GameState) -> None:
    dice = {"white": [7, 7], "red": [1], "yellow": [1], "green": [1], "blue": [1]}
    assert forged(game, "dice_rolled", dice=dice) == (6, "the dice do not follow from the seed")


def test_a_fact_that_cannot_be_replayed_is_named(game: GameState) -> None:
    assert forged(game, "dice_rolled", nonsense=1) == (6, "it cannot be replayed (TypeError)")
    assert forged(game, "turn_started") is None


def test_a_row_that_differs_from_the_log_is_named(game: GameState) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET status = 'finished'")
    assert "the game's row is not what the log gives" in verify()


def test_a_damaged_snapshot_is_named_and_does_not_stop_the_others(game: GameState) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_snapshot SET state = '\\x00'")
    assert "the folded state is not what the log gives" in verify()


def test_a_log_without_its_game_is_named(game: GameState) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_game")
    assert f"{game.id}: version 1: there is a log, but no game" in verify()


def test_a_start_that_does_not_follow_from_the_seeds_is_named(game: GameState) -> None:
    assert forged(game, "game_started", first=7) == (4, "the start does not follow from the seeds")


def test_an_unknown_game_is_reported(game: GameState) -> None:
    unknown = uuid7()
    with pytest.raises(CommandError, match=f"There is no game {unknown}"):
        call_command("verify_log", str(unknown))
