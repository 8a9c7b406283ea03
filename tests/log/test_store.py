"""The store with one writer: each command has its own outcome, and reads return what was appended."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games.game.events import first_bad_version, link
from games.log import store
from games.log.append_record import THE_SERVICE, Append, Tip
from games.log.connections import Connection
from games.log.store import StoredReceipt
from players.database.ids import uuid7
from tests.log.appends import AT, count, creation, facts, following, receipt, statuses


@pytest.fixture
async def created(connection: Connection) -> Append:
    item = creation()
    assert statuses(await store.append(connection, [item])) == ["ok"]
    return item


async def test_a_new_game_is_stored_whole(connection: Connection) -> None:
    player = uuid7()
    item = creation(count=2, seats=((0, player, ""), (1, None, "easy")))
    await store.append(connection, [item])
    loaded = await store.load(connection, item.game)
    assert loaded
    assert (loaded.version, loaded.head_hash, loaded.at) == (2, item.events[1].hash, item.events[1].at)
    assert (loaded.ruleset, loaded.sheet, loaded.visibility, loaded.rated) == ("qwixx", "classic", "public", False)
    assert (loaded.status, loaded.seats, loaded.snapshot, loaded.since) == ("open", 2, None, item.events)
    assert (loaded.secret, loaded.bot_secret) == (b"s" * 32, b"b" * 32)
    assert await seats_of(connection, item) == [(0, player, ""), (1, None, "easy")]


async def test_events_are_read_as_they_were_hashed(connection: Connection) -> None:
    first = creation()
    data: dict[str, Any] = {"ü": "Ö \u2028 \\ \" '", "b": None, "a": [True, 2**60, -1, {"z": 0, "y": ""}], "": {}}
    second = following(first, count=3, data=data)
    await store.append(connection, [first])
    await store.append(connection, [second])
    log = await store.events_after(connection, first.game, 0)
    assert log == [*first.events, *second.events]
    assert first_bad_version(log) is None


async def test_times_are_read_to_the_microsecond_whatever_the_time_zone(connection: Connection) -> None:
    item = creation()
    events = (link(item.events[0].prev, str(item.game), 1, "game_created", 1, "2026-03-29T01:30:00.100000Z", {}),)
    await store.append(connection, [item._replace(events=events)])
    await connection.execute("SET timezone = 'Asia/Kathmandu'")
    assert await store.events_after(connection, item.game, 0) == list(events)


async def test_the_log_is_read_from_any_version_in_any_portion(connection: Connection, created: Append) -> None:
    more = following(created, count=4)
    await store.append(connection, [more])
    log = [*created.events, *more.events]
    for after in range(7):
        assert await store.events_after(connection, created.game, after) == log[after:]
        assert await store.events_after(connection, created.game, after, 2) == log[after : after + 2]


async def test_a_missing_game_has_no_row_no_events_and_takes_no_command(connection: Connection) -> None:
    assert await store.load(connection, uuid7()) is None
    assert await store.events_after(connection, uuid7(), 0) == []
    assert await store.events_after(connection, uuid7(), 3) == []
    assert statuses(await store.append(connection, [following(creation())])) == ["missing"]


async def test_the_tip_moves_with_every_command(connection: Connection, created: Append) -> None:
    moment = datetime(2026, 1, 2, 3, 4, 50, tzinfo=UTC)
    tip = Tip("playing", deadline_at=moment, active=1, phase="white", waiting=0b101)
    item = following(created, count=2, tip=tip)
    await store.append(connection, [item])
    loaded = await store.load(connection, created.game)
    assert loaded
    assert (loaded.version, loaded.head_hash) == (3, item.events[-1].hash)
    assert (loaded.status, loaded.deadline_at) == ("playing", moment)
    query = "SELECT active, phase, waiting, updated_at > created_at, ended_at FROM games_game WHERE id = $1"
    row = await connection.fetchrow(query, created.game)
    assert row == (1, "white", 5, False, None)


async def test_a_stale_command_appends_nothing_and_gets_the_missing_events(
    connection: Connection, created: Append
) -> None:
    winner = following(created, count=3)
    await store.append(connection, [winner])
    (outcome,) = await store.append(connection, [following(created, data={"late": True})])
    assert (outcome.status, outcome.events) == ("conflict", winner.events)
    assert await store.events_after(connection, created.game, 1) == list(winner.events)


async def test_a_command_on_another_history_is_a_conflict_without_events(
    connection: Connection, created: Append
) -> None:
    elsewhere = created._replace(events=facts(created.game, 0, "f" * 64, 1))
    (outcome,) = await store.append(connection, [following(elsewhere)])
    assert outcome == store.Outcome("conflict")


async def test_a_command_from_the_future_is_a_conflict_without_events(connection: Connection, created: Append) -> None:
    (outcome,) = await store.append(connection, [following(following(created))])
    assert outcome == store.Outcome("conflict")


async def test_a_repeated_key_appends_nothing_and_gets_the_receipt(connection: Connection, created: Append) -> None:
    kept = receipt("tap")
    first = following(created, count=2, receipt=kept)
    await store.append(connection, [first])
    stored = StoredReceipt(kept.fingerprint, created.game, 2, 3)
    for again in (first, following(first, receipt=kept), creation(receipt=kept._replace(fingerprint=b"other"))):
        assert await store.append(connection, [again]) == [store.Outcome("duplicate", receipt=stored)]
    assert await store.receipt(connection, kept.player, "tap") == stored
    assert len(await store.events_after(connection, created.game, 0)) == 3


async def test_every_player_and_the_service_have_separate_keys(connection: Connection, created: Append) -> None:
    first = following(created, receipt=receipt("k"))
    second = following(first, receipt=receipt("k"))
    third = following(second, receipt=receipt("k", THE_SERVICE))
    for item in (first, second, third):
        assert statuses(await store.append(connection, [item])) == ["ok"]
    assert await store.receipt(connection, uuid7(), "k") is None


@pytest.mark.parametrize("key", ['"', "\\", "{a,b}", "NULL", "null", " ", "ключ", 'a"},{"'])
async def test_a_key_of_any_characters_is_stored_unchanged(connection: Connection, key: str) -> None:
    games = [creation() for _ in range(3)]
    await store.append(connection, games)
    kept = receipt(key)
    items = [following(games[0]), following(games[1], 2, receipt=kept, actor=kept.player), following(games[2])]
    assert statuses(await store.append(connection, items)) == ["ok"] * 3
    rows = await connection.fetch("SELECT game_id, command, actor FROM games_event WHERE version > 1")
    assert [row for row in rows if row[1] or row[2]] == [(games[1].game, key, kept.player)]
    assert await store.receipt(connection, kept.player, key) == StoredReceipt(kept.fingerprint, games[1].game, 2, 3)


async def test_a_refused_command_leaves_its_key_unused(connection: Connection, created: Append) -> None:
    kept = receipt("k")
    await store.append(connection, [following(created)])
    assert statuses(await store.append(connection, [following(created, receipt=kept)])) == ["conflict"]
    assert await store.receipt(connection, kept.player, "k") is None


async def test_a_code_belongs_to_one_game(connection: Connection) -> None:
    kept = receipt("k")
    await store.append(connection, [creation(code="K7QXM2")])
    second = creation(code="K7QXM2", receipt=kept)
    assert statuses(await store.append(connection, [second])) == ["code_taken"]
    assert await store.load(connection, second.game) is None
    assert await store.receipt(connection, kept.player, "k") is None


async def test_a_game_is_created_once(connection: Connection, created: Append) -> None:
    (outcome,) = await store.append(connection, [creation(game=created.game, code="222222")])
    assert (outcome.status, outcome.events) == ("conflict", created.events)


async def test_seats_are_replaced_as_a_whole_or_left_alone(connection: Connection) -> None:
    ann, ben = uuid7(), uuid7()
    first = creation(seats=((0, ann, ""), (1, None, "easy"), (3, ben, "")))
    second = following(first, seats=((0, ann, ""), (1, ben, "")))
    third = following(second)
    fourth = following(third, seats=())
    expected = [first.seats, second.seats, second.seats, ()]
    for item, seats in zip((first, second, third, fourth), expected, strict=True):
        await store.append(connection, [item])
        assert await seats_of(connection, item) == list(seats or ())


async def test_a_refused_command_changes_no_seat(connection: Connection) -> None:
    first = creation(seats=((0, uuid7(), ""),))
    await store.append(connection, [first])
    await store.append(connection, [following(first)])
    await store.append(connection, [following(first, seats=())])
    assert await seats_of(connection, first) == list(first.seats or ())


async def test_the_first_event_of_a_command_is_stored_with_its_player_and_key(
    connection: Connection, created: Append
) -> None:
    kept = receipt("k")
    await store.append(connection, [following(created, count=2, actor=kept.player, receipt=kept)])
    query = "SELECT actor, command FROM games_event WHERE game_id = $1 ORDER BY version"
    rows = await connection.fetch(query, created.game)
    assert rows == [(None, None), (kept.player, "k"), (None, None)]


async def test_every_item_of_a_batch_has_its_own_outcome(connection: Connection) -> None:
    games = [creation() for _ in range(4)]
    kept = receipt("k")
    await store.append(connection, games)
    await store.append(connection, [following(games[1], receipt=kept)])
    batch = [
        following(games[0]),
        following(games[1]),
        following(creation()),
        following(games[2], receipt=kept),
        creation(code=games[0].game.hex[-6:]),
        creation(),
        following(games[3], session=uuid7()),
    ]
    outcomes = await store.append(connection, batch)
    assert statuses(outcomes) == ["ok", "conflict", "missing", "duplicate", "code_taken", "ok", "revoked"]
    assert await count(connection, "games_event") == 4 + 1 + 2
    assert await count(connection, "games_receipt") == 1


async def test_a_batch_takes_128_games_of_every_kind(connection: Connection) -> None:
    games = [creation(receipt=receipt(str(n))) for n in range(128)]
    assert statuses(await store.append(connection, games)) == ["ok"] * 128
    batch = [following(game, count=1 + n % 3, receipt=receipt(str(n))) for n, game in enumerate(games)]
    assert statuses(await store.append(connection, batch)) == ["ok"] * 128
    for game, item in zip(games, batch, strict=True):
        assert await store.events_after(connection, game.game, 0) == [*game.events, *item.events]


async def test_commands_for_one_game_in_one_batch_are_taken_one_after_the_other(
    connection: Connection, created: Append
) -> None:
    second = following(created, count=2)
    outcomes = await store.append(connection, [second, following(second), following(created)])
    assert statuses(outcomes) == ["ok", "ok", "conflict"]
    assert [event.version for event in await store.events_after(connection, created.game, 0)] == [1, 2, 3, 4]


async def test_of_creations_with_one_key_in_a_batch_one_game_is_created(
    connection: Connection, owner: Connection
) -> None:
    kept = receipt("create")
    creations = [creation(receipt=kept), creation(receipt=kept), creation(receipt=kept)]
    outcomes = await store.append(connection, creations)
    assert sorted(statuses(outcomes)) == ["duplicate", "duplicate", "ok"]
    (winner,) = [item.game for item, outcome in zip(creations, outcomes, strict=True) if outcome.status == "ok"]
    assert {outcome.receipt.game for outcome in outcomes if outcome.receipt} == {winner}
    assert await count(owner, "games_game") == await count(owner, "games_seed") == 1


async def test_of_creations_with_one_code_in_a_batch_one_game_is_created(connection: Connection) -> None:
    outcomes = await store.append(connection, [creation(code="K7QXM2"), creation(code="K7QXM2"), creation()])
    assert statuses(outcomes) == ["ok", "code_taken", "ok"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda item: item._replace(events=(item.events[0]._replace(data={"name": "\x00"}),)),
        lambda item: item._replace(events=(item.events[0]._replace(data={"name": "\ud800"}),)),
        lambda item: item._replace(events=(item.events[0]._replace(data={"name": object()}),)),
        lambda item: item._replace(events=(item.events[0]._replace(type="x" * 33),)),
        lambda item: item._replace(events=(item.events[0]._replace(version=3),)),
        lambda item: item._replace(
            events=(item.events[0], following(item).events[0]._replace(at=AT.replace("5", "6")))
        ),
        lambda item: item._replace(events=()),
        lambda item: item._replace(birth=creation().birth),
        lambda item: item._replace(receipt=receipt("k" * 65)),
        lambda item: item._replace(tip=item.tip._replace(waiting=70_000)),
        lambda item: item._replace(seats=((0, None, ""), (0, None, ""))),
    ],
    ids=["nul", "surrogate", "object", "type", "hole", "instants", "nothing", "second birth", "key", "number", "seats"],
)
async def test_a_bad_item_does_not_fail_the_rest_of_its_batch(connection: Connection, spoil: Any) -> None:
    games = [creation() for _ in range(3)]
    await store.append(connection, games)
    bad = spoil(following(games[1], seats=((0, uuid7(), ""),)))
    outcomes = await store.append(connection, [following(games[0]), bad, following(games[2])])
    assert statuses(outcomes) == ["ok", "failed", "ok"]
    assert isinstance(outcomes[1].error, Exception)
    assert await store.events_after(connection, games[1].game, 0) == list(games[1].events)
    assert await seats_of(connection, games[1]) == []
    assert statuses(await store.append(connection, [following(games[1])])) == ["ok"]


async def seats_of(connection: Connection, item: Append) -> list[Any]:
    query = "SELECT seat, player, bot FROM games_seat WHERE game_id = $1 ORDER BY seat"
    return list(await connection.fetch(query, item.game))
