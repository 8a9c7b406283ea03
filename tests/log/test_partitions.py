"""The log in partitions by month: made ahead, protected like the log, and never missed by an append."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from django.db import connection as django_connection

from games import tasks
from games.log import store
from games.log.archive import partitions
from games.log.connections import Connection
from tests.log.appends import creation, following, statuses
from tests.server import service_role

OF_LOG = "SELECT relid::regclass::text FROM pg_partition_tree('games_event') WHERE isleaf ORDER BY 1"
HOLDS = "SELECT tableoid::regclass::text FROM games_event WHERE game_id = $1 AND version = 1"
LATER = [(datetime(2041, 1, 5, tzinfo=UTC), 0), (datetime(2041, 1, 31, 23, 59, 59, tzinfo=UTC), 1)]


def game_of(moment: datetime, number: int = 0) -> UUID:
    """An id that a game created then would have."""
    return UUID(int=(int(moment.timestamp() * 1000) << 80) | (7 << 76) | (2 << 62) | number)


def month(ahead: int) -> str:
    now = datetime.now(UTC)
    years, months = divmod(now.month - 1 + ahead, 12)
    return f"games_event_{now.year + years}_{months + 1:02}"


async def test_a_game_is_stored_in_the_partition_of_its_month(connection: Connection) -> None:
    new = creation()
    assert statuses(await store.append(connection, [new])) == ["ok"]
    assert await connection.fetchval(HOLDS, new.game) == month(0)


@pytest.mark.parametrize("moment", [datetime(2099, 1, 1, tzinfo=UTC), datetime(1999, 1, 1, tzinfo=UTC)])
async def test_a_game_without_a_partition_is_stored_in_the_default_one(
    connection: Connection, moment: datetime
) -> None:
    first = creation(game=game_of(moment))
    assert statuses(await store.append(connection, [first, creation()])) == ["ok", "ok"]
    assert statuses(await store.append(connection, [following(first, 3)])) == ["ok"]
    assert await connection.fetchval(HOLDS, first.game) == "games_event_default"
    assert [event.version for event in await store.events_after(connection, first.game, 1)] == [2, 3, 4]


@pytest.fixture
async def april(owner: Connection) -> Any:
    """The fourth month from now has no partition yet; it is taken away again."""
    name = month(4)
    yield name
    await owner.execute(f"DROP TABLE IF EXISTS {name}")


async def test_partitions_are_made_for_months_to_come_and_once(
    connection: Connection, owner: Connection, april: str
) -> None:
    if await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        pytest.skip("the given server has no role for the service")
    assert await connection.fetch("SELECT games_make_partitions(4)") == [(april,)]
    assert await connection.fetch("SELECT games_make_partitions(4)") == []
    assert [name for name in {month(ahead) for ahead in range(5)} if name not in await leaves(owner)] == []


async def test_a_month_whose_games_are_in_the_default_partition_stays_there(
    connection: Connection, owner: Connection, april: str
) -> None:
    year, number = map(int, april.split("_")[-2:])
    early = creation(game=game_of(datetime(year, number, 3, tzinfo=UTC)))
    await store.append(connection, [early])
    assert await owner.fetch("SELECT games_make_partitions(4)") == []
    assert april not in await leaves(owner)
    assert len(await store.events_after(connection, early.game, 0)) == 1


async def leaves(connection: Connection) -> list[str]:
    return [row[0] for row in await connection.fetch(OF_LOG)]


@pytest.mark.parametrize("change", ["UPDATE {} SET v = 2", "DELETE FROM {}", "TRUNCATE {}"])
async def test_each_partition_refuses_changes(owner: Connection, change: str) -> None:
    parts = await leaves(owner)
    assert len(parts) >= 5
    for part in parts:
        with pytest.raises(asyncpg.RestrictViolationError, match="append-only"):
            await owner.execute(change.format(part))


async def test_the_service_has_no_rights_on_a_partition(owner: Connection) -> None:
    rights = "SELECT has_table_privilege($1, $2, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')"
    if await owner.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = $1", service_role()):
        pytest.skip("the given server has no role for the service")
    assert [part for part in await leaves(owner) if await owner.fetchval(rights, service_role(), part)] == []
    assert await owner.fetchval("SELECT has_table_privilege($1, 'games_event', 'SELECT')", service_role())


@pytest.mark.parametrize(("moment", "number"), LATER)
async def test_the_first_id_of_a_moment_is_below_the_ids_of_its_games(
    owner: Connection, moment: datetime, number: int
) -> None:
    first = UUID(str(await owner.fetchval("SELECT games_first_id($1)", moment)))
    assert first < game_of(moment, number)
    assert (first.int >> 80) == int(moment.timestamp() * 1000)


@pytest.mark.django_db(transaction=True)
def test_the_task_makes_what_is_missing() -> None:
    gone = month(partitions.MONTHS_AHEAD)
    with django_connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {gone}")
        tasks.make_partitions()
        cursor.execute(OF_LOG)
        assert gone in [row[0] for row in cursor.fetchall()]
