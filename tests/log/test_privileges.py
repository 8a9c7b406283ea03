"""The role of the service: PostgreSQL refuses to let it change what is recorded or read seeds, and games are played."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from games.engine.engine import Engine
from games.log import snapshots, store
from games.log.append_record import Append
from games.log.connections import Connection
from players.accounts import guests
from players.database.ids import uuid7
from players.sessions.lifecycle import NewSession
from tests.engine.conftest import engine, make_engine
from tests.engine.games import NOW, next_step, started
from tests.log.appends import count, creation, following, receipt, statuses
from tests.server import database_url

__all__ = ["engine", "make_engine"]

ROOT = Path(__file__).parents[2]
RECORDS = {"games_event": "version", "games_receipt": "key", "players_staffaction": "reason"}  # tables and columns
STAFF_ACTION = """
    INSERT INTO players_staffaction (by, at, what, kind, target, reason, detail)
    VALUES (gen_random_uuid(), now(), 'ban', 'player', gen_random_uuid(), 'A test.', '')
"""


@pytest.fixture(autouse=True)
async def recorded(connection: Connection) -> Append:
    """One row in each table, written as the service."""
    if await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        pytest.skip("the given server has no role for the service")
    first = creation(receipt=receipt("a key"))
    assert statuses(await store.append(connection, [first])) == ["ok"]
    await connection.execute(STAFF_ACTION)
    return first


async def is_refused(connection: Connection, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute(statement)


@pytest.mark.parametrize(("table", "column"), RECORDS.items())
async def test_the_service_cannot_change_what_is_recorded(connection: Connection, table: str, column: str) -> None:
    before = await connection.fetch(f"SELECT * FROM {table}")  # noqa: S608
    assert len(before) == 1
    await is_refused(connection, f"UPDATE {table} SET {column} = {column}")  # noqa: S608
    await is_refused(connection, f"UPDATE {table} SET {column} = {column} WHERE false")  # noqa: S608
    await is_refused(connection, f"DELETE FROM {table}")  # noqa: S608
    await is_refused(connection, f"TRUNCATE {table}")
    assert await connection.fetch(f"SELECT * FROM {table}") == before  # noqa: S608


@pytest.mark.parametrize("table", [*RECORDS, "games_seed", "games_game"])
async def test_the_service_cannot_disable_a_trigger_or_drop_a_table(connection: Connection, table: str) -> None:
    for change in ("DISABLE TRIGGER USER", "DISABLE TRIGGER ALL", "OWNER TO qwixx_service", "ADD COLUMN note text"):
        await is_refused(connection, f"ALTER TABLE {table} {change}")
    await is_refused(connection, f"DROP TABLE {table}")
    await is_refused(connection, f"CREATE TRIGGER more BEFORE INSERT ON {table} EXECUTE FUNCTION games_event_refuse()")
    await is_refused(connection, "SET session_replication_role = replica")


@pytest.mark.parametrize(
    "table",
    [
        "games_event",
        "games_receipt",
        "games_game",
        "games_seat",
        "games_snapshot",
        "games_archivedgame",
        "games_volume",
    ],
)
async def test_the_service_adds_to_the_log_by_the_append_alone(connection: Connection, table: str) -> None:
    await is_refused(connection, f"INSERT INTO {table} SELECT * FROM {table}")  # noqa: S608


async def test_the_service_cannot_replace_a_function_or_become_another_role(connection: Connection) -> None:
    await is_refused(connection, "ALTER FUNCTION games_append SECURITY INVOKER")
    await is_refused(connection, "ALTER FUNCTION games_event_refuse() RENAME TO games_event_accept")
    await is_refused(connection, "CREATE TABLE games_event_2 ()")
    await is_refused(connection, "SELECT games_drop_partition('games_event_default', 0)")
    await is_refused(connection, "SET ROLE postgres")
    await is_refused(connection, "SET ROLE qwixx_owner")


@pytest.mark.parametrize("what", ["*", "game_id", "secret", "count(*)"])
async def test_the_service_cannot_select_seeds(connection: Connection, what: str) -> None:
    await is_refused(connection, f"SELECT {what} FROM games_seed")  # noqa: S608
    await is_refused(connection, "SELECT FROM games_seed FOR UPDATE")
    await is_refused(connection, "UPDATE games_seed SET secret = ''")
    await is_refused(connection, "COPY games_seed TO STDOUT")


async def test_the_service_loads_a_game_with_its_seeds(connection: Connection, recorded: Append) -> None:
    loaded = await store.load(connection, recorded.game)
    assert loaded
    assert (loaded.secret, loaded.bot_secret) == (b"s" * 32, b"b" * 32)


async def test_a_temporary_table_does_not_stand_in_for_the_log(connection: Connection, recorded: Append) -> None:
    """The search path of the append is fixed, with temporary tables last."""
    await connection.execute("CREATE TEMPORARY TABLE games_event (LIKE public.games_event)")
    assert statuses(await store.append(connection, [following(recorded)])) == ["ok"]
    assert await count(connection, "public.games_event") == 2
    assert await count(connection, "pg_temp.games_event") == 0


async def test_only_the_service_may_call_the_functions_of_the_owner(owner: Connection) -> None:
    callable_by_all = """
        SELECT oid::regprocedure::text FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND prosecdef
           AND (proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))
    """
    assert await owner.fetch(callable_by_all) == []
    paths = "SELECT DISTINCT proconfig FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
    assert [row[0] for row in await owner.fetch(paths)] == [["search_path=public, pg_temp"]]


async def test_a_game_is_played_by_the_service(engine: Engine) -> None:
    game = await started(engine)
    while game.version <= 2 * snapshots.EVERY:
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
    engine.forget(UUID(game.id))
    assert (await engine.read(UUID(game.id))).game == game


@pytest.fixture
def guest(conninfo: str) -> NewSession:
    return guests.create_guest(NOW)


async def test_receipts_are_erased_after_the_last_session_of_a_player(
    connection: Connection, guest: NewSession
) -> None:
    player, session = guest.player.id, guest.session
    await store.append(connection, [creation(receipt=receipt("k", player))])
    await connection.execute("SELECT games_keys_erase($1)", player)
    assert await store.receipt(connection, player, "k")
    await connection.execute("SELECT players_session_revoke($1, $2)", [session], NOW)
    await connection.execute("SELECT games_keys_erase($1)", player)
    assert await store.receipt(connection, player, "k") is None


async def test_the_receipt_of_an_append_cannot_be_freed(connection: Connection) -> None:
    player = uuid7()
    await store.append(connection, [creation(receipt=receipt("in a game", player))])
    assert await connection.fetchval("SELECT games_key_take($1, 'elsewhere', '')", player)
    await connection.execute("SELECT games_keys_free($1, $2)", [player] * 2, ["in a game", "elsewhere"])
    assert await store.receipt(connection, player, "in a game")
    assert await store.receipt(connection, player, "elsewhere") is None


@pytest.mark.parametrize("command", ["verify_log", "rebuild_projections"])
async def test_commands_that_read_every_game_run_as_the_service(
    engine: Engine, owner: Connection, command: str
) -> None:
    await owner.execute("SET session_replication_role = replica")
    await owner.execute("DELETE FROM games_event")  # of the game whose facts mean nothing
    await owner.execute("DELETE FROM games_game")
    await started(engine)
    environment = {**os.environ, "DATABASE_URL": database_url()}
    argv = [sys.executable, "manage.py", command]
    done = await asyncio.to_thread(subprocess.run, argv, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")


async def test_the_owner_cannot_empty_the_record_of_staff_actions(owner: Connection) -> None:
    with pytest.raises(asyncpg.RaiseError, match="never deleted"):
        await owner.execute("TRUNCATE players_staffaction")
