"""A load reads the last snapshot and the events since, with plans that do not scan tables."""

import pytest

from games.log import store
from games.log.append_record import SnapshotRow
from games.log.connections import Connection
from players.database.ids import uuid7
from tests.log.appends import creation, following, statuses


async def test_a_game_is_loaded_with_its_last_snapshot_and_the_events_since(
    connection: Connection,
) -> None:
    created = creation()
    await store.append(connection, [created])
    first = following(created, count=2, snapshot=SnapshotRow(3, 1, b"\x00old\xff"))
    second = following(first, count=2, snapshot=SnapshotRow(5, 2, b"\x00newer\xff"))
    third = following(second, count=3)
    for item, since in ((first, ()), (second, ()), (third, third.events)):
        await store.append(connection, [item])
        loaded = await store.load(connection, created.game)
        assert loaded
        assert (loaded.snapshot, loaded.since) == (item.snapshot or second.snapshot, since)


async def test_a_refused_command_does_not_change_the_snapshot(connection: Connection) -> None:
    kept = SnapshotRow(2, 1, b"kept")
    created, other = creation(), creation()
    await store.append(connection, [created, other])
    await store.append(connection, [following(created, snapshot=kept)])
    late = following(created, data={"late": True}, snapshot=SnapshotRow(2, 1, b"late"))
    fine = following(other, snapshot=SnapshotRow(2, 1, b"fine"))
    assert statuses(await store.append(connection, [late, fine])) == ["conflict", "ok"]
    loaded = await store.load_many(connection, [created.game, other.game])
    assert {game: tip.snapshot for game, tip in loaded.items()} == {created.game: kept, other.game: fine.snapshot}


@pytest.mark.parametrize("query", ["LOAD", "PLAYING"])
async def test_a_plan_made_for_few_games_scans_no_table(connection: Connection, owner: Connection, query: str) -> None:
    """A connection keeps its plans while the tables grow."""
    games = [creation(seats=((0, uuid7(), ""),)) for _ in range(30)]
    await store.append(connection, games)
    await owner.execute("ANALYZE games_game, games_seed, games_seat, games_snapshot")
    text = getattr(store, query)
    await connection.execute(f"PREPARE asked (uuid[]) AS {text}")
    plan = await connection.fetch("EXPLAIN EXECUTE asked ('{}')")
    lines = "\n".join(line for (line,) in plan)
    assert lines.count("Index Cond") == lines.count("Index Scan") + lines.count("Index Only Scan"), lines
