"""A player's rank among 200,000: from the sorted set in Redis, and by SQL when Redis is empty."""

import time
from collections.abc import Callable
from random import Random
from statistics import median

from django.db import connection

from bench.report import Line
from players.models import Leaderboard, LeaderboardStanding
from players.ratings import leaderboard_pages
from players.ratings.leaderboard_pages import LeaderboardReader, StandingRow

PLAYERS = 200_000
SAMPLE = 60
SEED = """
    WITH board AS (
        INSERT INTO players_board (ruleset, period, start, revision)
        VALUES ('bench', 'all', '1970-01-01', gen_random_uuid()) RETURNING id)
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT board.id, gen_random_uuid(), n, (n * 7919) %% 300, (n * 7919) %% 50000, (n * 7919) %% 140, (n * 7919) %% 2500
      FROM board, generate_series(1, %s) n
"""


def measure() -> list[Line]:
    board = seeded()
    reader = LeaderboardReader(board, "points")
    rows = sample(board)
    by_sql = _ms(lambda row: reader.counted_rank(row), rows)
    cold = _ms(lambda row: reader.rank(row), rows)
    start = time.perf_counter()
    leaderboard_pages.fill(board)
    filled = time.perf_counter() - start
    warm = _ms(lambda row: reader.rank(row), rows)
    whole = _ms(lambda row: reader.page(row.player, 20, around_me=True), rows)
    return [
        Line("a rank among 200,000, sorted set to SQL", by_sql / warm, "times", 5, 50),
        Line("  … by the sorted set", warm, "ms"),
        Line("  … by SQL", by_sql, "ms"),
        Line("  … with Redis empty, to SQL alone", cold / by_sql, "times", 1.5, is_ceiling=True),
        Line("  … the page around the player, by the sorted set", whole, "ms"),
        Line("  … to fill the sorted sets", filled, "seconds"),
    ]


def seeded() -> int:
    with connection.cursor() as cursor:
        cursor.execute(SEED, [PLAYERS])
        cursor.execute("VACUUM ANALYZE players_standing")
    return Leaderboard.objects.get(ruleset="bench").pk


def sample(board: int) -> list[StandingRow]:
    """Random players of the board."""
    rows = LeaderboardStanding.objects.filter(board=board).values_list("points", "player", "board__revision")
    return [StandingRow(*row) for row in Random(1).sample(list(rows), SAMPLE)]


def _ms(read: Callable[[StandingRow], object], rows: list[StandingRow]) -> float:
    def timed(row: StandingRow) -> float:
        start = time.perf_counter()
        read(row)
        return time.perf_counter() - start

    return 1000 * median(timed(row) for row in rows)
