"""The database refuses to change the log, and a change that bypasses the triggers is detected."""

import asyncpg
import pytest

from games.game.events import first_bad_version
from games.log import store
from games.log.append_record import Append
from games.log.connections import Connection
from tests.log.appends import creation, following


@pytest.fixture
async def logged(connection: Connection) -> Append:
    first = creation()
    await store.append(connection, [first])
    await store.append(connection, [following(first, count=4)])
    return first


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_event SET data = '{}'",
        "UPDATE games_event SET hash = hash WHERE false",
        "DELETE FROM games_event",
        "DELETE FROM games_event WHERE version = 5",
        "TRUNCATE games_event",
        "TRUNCATE games_game, games_event",
        """INSERT INTO games_event SELECT * FROM games_event
           ON CONFLICT (game_id, version) DO UPDATE SET data = excluded.data""",
    ],
)
async def test_the_database_refuses_to_change_the_log(owner: Connection, logged: Append, statement: str) -> None:
    before = await store.events_after(owner, logged.game, 0)
    with pytest.raises(asyncpg.RestrictViolationError, match="games_event is append-only"):
        await owner.execute(statement)
    assert await store.events_after(owner, logged.game, 0) == before


async def test_a_version_is_stored_once(owner: Connection, logged: Append) -> None:
    with pytest.raises(asyncpg.UniqueViolationError):
        await owner.execute("INSERT INTO games_event SELECT * FROM games_event LIMIT 1")


@pytest.mark.parametrize(
    ("statement", "first_bad"),
    [
        ("UPDATE games_event SET data = jsonb_set(body::jsonb, '{number}', '12') WHERE version = 3", 3),
        ("UPDATE games_event SET at = at + interval '1 microsecond' WHERE version = 2", 2),
        ("UPDATE games_event SET type = 'row_closed' WHERE version = 4", 4),
        ("UPDATE games_event SET hash = sha256(hash) WHERE version = 5", 5),
        ("DELETE FROM games_event WHERE version = 2", 2),
        ("UPDATE games_event SET version = 9 WHERE version = 5", 5),
    ],
)
async def test_a_change_without_triggers_is_found_at_its_version(
    owner: Connection, logged: Append, statement: str, first_bad: int
) -> None:
    async with owner.transaction():
        await owner.execute("SET LOCAL session_replication_role = replica")
        await owner.execute(statement)
    assert first_bad_version(await store.events_after(owner, logged.game, 0)) == first_bad
