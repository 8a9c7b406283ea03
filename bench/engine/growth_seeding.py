"""Finished games in bulk: copies of a few games that the engine has played, spread over the last ten months."""

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

from psycopg import Connection

from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import play
from games.rules.actions import Request
from players.database.ids import uuid7
from tests.engine.games import NOW, create, join, keyed

DAYS = 300
PLAYERS = 100_000
# The copies keep the hashes of their models: their chains do not verify, and nothing here reads them for that.
TABLE = "CREATE UNLOGGED TABLE IF NOT EXISTS bench_copy (n int PRIMARY KEY, id uuid, model uuid)"
COPIES = f"""
    INSERT INTO bench_copy
    SELECT n, (lpad(to_hex((extract(epoch FROM now() - interval '{DAYS} days') * 1000)::bigint + n::bigint * 25000),
                    12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, (%s::uuid[])[1 + n %% %s]
      FROM generate_series(%s::int, %s::int) AS n
"""
ROWS = {
    "games_game": """
        INSERT INTO games_game (id, ruleset, sheet, status, visibility, rated, clock, seats, code, version, head_hash,
                                waiting, created_at, updated_at, ended_at)
        SELECT copy.id, ruleset, sheet, status, 'public', rated, clock, seats, '0' || lpad(to_hex(n), 5, '0'), version,
               head_hash, 0, moment, moment, moment + interval '9 min'
          FROM bench_copy AS copy JOIN games_game AS model ON model.id = copy.model,
               to_timestamp(('x' || left(replace(copy.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AS moment
         WHERE n BETWEEN %s AND %s
    """,
    "games_seat": f"""
        INSERT INTO games_seat (game_id, seat, bot, player)
        SELECT id, seat, '',
               ('01900000000070008000' || lpad(to_hex((n::bigint * 7919 + seat * 131) %% {PLAYERS}), 12, '0'))::uuid
          FROM bench_copy JOIN games_seat AS model ON model.game_id = bench_copy.model WHERE n BETWEEN %s AND %s
    """,
    "games_seed": """
        INSERT INTO games_seed (game_id, secret, bot_secret)
        SELECT id, secret, bot_secret FROM bench_copy JOIN games_seed ON game_id = model WHERE n BETWEEN %s AND %s
    """,
    "games_snapshot": """
        INSERT INTO games_snapshot (game_id, version, schema, state)
        SELECT id, version, schema, state FROM bench_copy JOIN games_snapshot ON game_id = model
         WHERE n BETWEEN %s AND %s
    """,
    "games_event": """
        INSERT INTO games_event (game_id, version, type, v, data, body, actor, command, hash, at)
        SELECT id, version, type, v, data, body, actor, command, hash, at
          FROM bench_copy JOIN games_event ON game_id = model WHERE n BETWEEN %s AND %s
    """,
    "games_receipt": """
        INSERT INTO games_receipt (game_id, player, key, fingerprint, first_version, last_version)
        SELECT id, id, key, fingerprint, first_version, last_version
          FROM bench_copy JOIN games_receipt ON game_id = model WHERE n BETWEEN %s AND %s
    """,
}  # fmt: skip
BOARD = """
    INSERT INTO players_board (ruleset, sheet, period, start, revision)
    VALUES ('growth', '', 'all', '1970-01-01', gen_random_uuid()) ON CONFLICT DO NOTHING
"""
STANDINGS = """
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT id, gen_random_uuid(), n, (n * 79) %% 300, (n * 79) %% 50000, n %% 140, (n * 79) %% 2500
      FROM players_board, generate_series(%s::int, %s::int) AS n WHERE ruleset = 'growth' AND n %% 5 = 0
"""  # one player for five games
WITH_LOG = ("games_event", "games_receipt")
PARTITIONS = f"""
    DO $$
    DECLARE month timestamp;
    BEGIN
        FOR month IN SELECT generate_series(date_trunc('month', now() - interval '{DAYS} days'),
                                            now() - interval '1 month', '1 month') LOOP
            CONTINUE WHEN to_regclass(to_char(month, '"games_event_"YYYY"_"MM')) IS NOT NULL;
            PERFORM games_partition_table(to_char(month, '"games_event_"YYYY"_"MM'));
            EXECUTE format('ALTER TABLE games_event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                           to_char(month, '"games_event_"YYYY"_"MM'), games_first_id(month AT TIME ZONE 'UTC'),
                           games_first_id((month + interval '1 month') AT TIME ZONE 'UTC'));
        END LOOP;
    END $$
"""


SIZE = """
    SELECT coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(%s) WHERE isleaf),
                    pg_total_relation_size(%s))
"""


async def played(engine: Engine, number: int) -> GameState:
    """A whole game of two, each command with a key, as clients send them."""
    luck, players = Random(number), [uuid7(), uuid7()]
    game = (await create(engine, players[0], keyed(players[0], str(uuid7())))).game
    game = (await engine.submit(UUID(game.id), join(players[1]), NOW, keyed(players[1], str(uuid7())))).game
    while not game.is_over:
        game = await moved(engine, game, luck)
    return game


async def moved(engine: Engine, game: GameState, luck: Random) -> GameState:
    seat = game.participants[luck.choice(game.waiting_for())]
    answer = luck.choice(play.options(game, seat.seat))
    player = UUID(seat.player)
    decide = lambda state, moment: play.act(state, str(player), Request(answer), moment)  # noqa: E731
    return (await engine.submit(UUID(game.id), decide, NOW, keyed(player, str(uuid7())))).game


def grow(connection: Connection[Any], models: list[GameState], first: int, last: int, with_log: int) -> None:
    """Copies number `first` to `last`; those up to `with_log` have their events and receipts."""
    connection.execute(TABLE)
    connection.execute(PARTITIONS)
    connection.execute(COPIES, [[UUID(model.id) for model in models], len(models), first, last])
    for table, statement in ROWS.items():
        until = min(last, with_log) if table in WITH_LOG else last
        if first <= until:
            connection.execute(statement, [first, until])
    connection.execute(BOARD)
    connection.execute(STANDINGS, [first, last])
    connection.execute(f"VACUUM ANALYZE {', '.join((*ROWS, 'players_standing'))}")


def sizes(connection: Connection[Any]) -> Iterator[tuple[str, int]]:
    """Bytes of each table with its indexes."""
    for table in ROWS:
        row = connection.execute(SIZE, [table, table]).fetchone()
        yield table, int(row[0] if row else 0)
