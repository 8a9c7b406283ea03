"""Games of a month long ago, in a partition of their own, for tests of the archive."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from games import queries, runtime
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby
from games.log.reads import finished_games, public_games, summaries
from tests.engine.games import join, keyed
from tests.webhooks.games import TestClock

MARCH = datetime(2025, 3, 10, tzinfo=UTC)
PART = "games_event_2025_03"
MAKE = f"""
    SELECT games_partition_table('{PART}');
    ALTER TABLE games_event ATTACH PARTITION {PART}
      FOR VALUES FROM ('{{}}') TO ('{{}}')
"""  # noqa: S608  (a constant)
ARCHIVED_PARTS = "SELECT relid::regclass::text FROM pg_partition_tree('games_event') WHERE isleaf"


def id_of(moment: datetime, number: int = 0) -> UUID:
    return UUID(int=(int(moment.timestamp() * 1000) << 80) | (7 << 76) | (2 << 62) | number)


def run(statement: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def partition() -> Iterator[None]:
    run(
        MAKE.format(
            id_of(datetime(2025, 3, 1, tzinfo=UTC)).hex[:12] + "0" * 20,
            id_of(datetime(2025, 4, 1, tzinfo=UTC)).hex[:12] + "0" * 20,
        )
    )
    try:
        yield
    finally:
        run(f"DROP TABLE IF EXISTS {PART}")


def start(clock: TestClock, /, *players: UUID, **settings: Any) -> GameState:
    """A started game that was created in March, each command with a key."""
    game_id = id_of(clock.tick(), players[0].int & 0xFFFF)
    wanted = game_settings.Settings(**{"ruleset": "qwixx", "seats": len(players), "visibility": "public", **settings})

    async def play(engine: Engine) -> GameState:
        def create(moment: Any) -> Any:
            return lobby.create(str(game_id), wanted, str(players[0]), None, moment)

        done = await engine.create(game_id, create, clock.tick(), keyed(players[0], f"create {game_id}"))
        for player in players[1:]:
            done = await engine.submit(game_id, join(player), clock.tick(), keyed(player, f"join {game_id}"))
        assert done
        return done.game

    return runtime.call(play)


def answers(games: list[GameState], people: list[UUID]) -> dict[str, Any]:
    """All that can be asked about these games, by processes that have none of them in memory."""
    found: dict[str, Any] = {}
    for game in games:
        game_id = UUID(game.id)
        stranger = [str(UUID(int=7))] if game.setup.visibility == "public" else []
        for viewer in (str(people[0]), *stranger):
            found |= {
                f"{key} {game_id} {viewer}": value for key, value in runtime.call(_asked(game_id, viewer)).items()
            }
    ids = [UUID(game.id) for game in games]
    found["summaries"] = summaries.of(ids)
    found["results"] = finished_games.results(ids)
    found["ended"] = finished_games.all_ended()
    found["public"] = list(public_games.ended(datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 12, 1, tzinfo=UTC)))
    return found


def _asked(game_id: UUID, viewer: str) -> Any:
    async def ask(engine: Engine) -> dict[str, Any]:
        engine.forget(game_id)
        known = await queries.visible(engine, game_id, viewer)
        game = known.game
        middle, is_end = await queries.game_at(engine, game, game.version // 2)
        found = {
            "view": game,
            "middle": (middle, is_end),
            "export": await queries.export(engine, known, viewer),
            "page": await queries.events_since(engine, game_id, viewer, 5, 7),
            "tail": await queries.events_since(engine, game_id, viewer, game.version - 1),
            "beyond": await queries.events_since(engine, game_id, viewer, game.version + 5),
            "head": await queries.events_since(engine, game_id, viewer, game.version),
        }
        if game.is_over:
            found["proof"] = await queries.proof(engine, known)
        return found

    return ask
