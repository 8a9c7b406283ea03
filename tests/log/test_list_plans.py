"""Each filter of a list of public games is served by an index, and a page needs one query, among many games."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.api.list_filters import time
from games.log.reads import game_filters
from games.log.reads.game_filters import GameFilters
from games.log.reads.summaries import summaries
from players.database.ids import uuid7

MANY = 60_000
PLAYER = "00000000-0000-7000-8000-0000000000aa"
HISTORY = 100  # games of the player, the oldest of all; so few that no other plan costs nearly as little
# Almost all games are finished, on the sheet `classic`, and not rated; the others are rare.
SEED = f"""
INSERT INTO games_game (id, ruleset, sheet, status, visibility, rated, seats, code, version, head_hash, waiting,
                        created_at, updated_at, ended_at)
SELECT (lpad(to_hex(n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
       CASE WHEN n % 1000 = 7 THEN 'qwinto' ELSE 'qwixx' END, CASE WHEN n % 1000 = 8 THEN 'mixed' ELSE 'classic' END,
       coalesce((ARRAY['open', 'playing', 'aborted', 'voided'])[n % 1000], 'finished'),
       CASE WHEN n % 10 = 9 THEN 'private' ELSE 'public' END, n % 1000 = 5, 2, lpad(to_hex(n), 6, '0'), 1, ''::bytea, 0,
       '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 min', now(),
       CASE WHEN n % 1000 NOT IN (1, 2) THEN '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 min' END
  FROM generate_series(1, {MANY}) AS n;
INSERT INTO games_seat (game_id, seat, player, bot)
SELECT id, 0, CASE WHEN row_number() OVER (ORDER BY id) <= {HISTORY} THEN '{PLAYER}' ELSE gen_random_uuid() END, ''
  FROM games_game;
ANALYZE games_game, games_seat
"""  # noqa: S608  (constants only)
BEFORE, AFTER = time("2026-01-20T00:00:00Z"), time("2026-01-19T00:00:00Z")
OF_GAMES = {
    "open": (GameFilters(status=("open",)), "games_game_open"),
    "playing": (GameFilters(status=("playing",)), "games_game_unfinished"),
    "open,playing": (GameFilters(status=("open", "playing")), "games_game_unfinished"),
    "voided": (GameFilters(status=("voided",)), "games_game_over"),
    "ruleset": (GameFilters(status=("finished",), ruleset="qwinto"), "games_game_over_by_ruleset"),
    "sheet": (GameFilters(status=("finished",), sheet="mixed"), "games_game_over_by_sheet"),
    "rated": (GameFilters(status=("finished",), rated=True), "games_game_over_rated"),
    "ended": (GameFilters(ended_after=AFTER, ended_before=BEFORE), "games_game_over_by_end"),
    "ended, finished": (GameFilters(status=("finished",), ended_before=BEFORE), "games_game_(over_by_end|played_out)"),
}
OF_SEATS = {
    "player": GameFilters(player=UUID(PLAYER)),
    "player, finished": GameFilters(player=UUID(PLAYER), status=("finished",)),
    "player, ended": GameFilters(player=UUID(PLAYER), ended_before=BEFORE),
    "mine": GameFilters(mine=True),
    "waiting": GameFilters(waiting=True),
}


@pytest.fixture(scope="module")
def many_games(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Stored once for all tests of this file."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(SEED)
        yield
        cursor.execute("TRUNCATE games_game, games_seat; ANALYZE games_game, games_seat")


def plan(rows: Any) -> str:
    found: str = rows.explain(analyze=True, costs=False, timing=False, summary=False)
    return found


@pytest.mark.parametrize("name", OF_GAMES)
def test_a_filter_of_public_games_reads_along_its_index(many_games: None, db: None, name: str) -> None:
    filters, index = OF_GAMES[name]
    order = ("-ended_at", "-id") if filters.is_by_end else ("-id",)
    found = plan(game_filters.games(filters).order_by(*order)[:21])
    assert re.search(f"using {index} on games_game", found), found
    assert "Sort" not in found, found


@pytest.mark.parametrize("name", OF_SEATS)
def test_a_list_of_one_player_reads_the_seats_of_that_player_only(many_games: None, db: None, name: str) -> None:
    filters = OF_SEATS[name]
    order = ("-ended_at", "-game_id") if filters.is_by_end else ("-game_id",)
    found = plan(game_filters.seats(filters, UUID(PLAYER)).order_by(*order)[:21])
    assert "games_seat_player" in found, found
    assert not re.search(r"Seq Scan on games_(game|seat)\b", found), found  # the log is empty, and scanned


def test_a_page_of_summaries_needs_one_query_and_one_for_names(many_games: None, db: None) -> None:
    for limit in (1, 100):
        with CaptureQueriesContext(connection) as queries:
            rows = game_filters.games(GameFilters(status=("finished",))).order_by("-id")[:limit]
            assert len(summaries(rows, uuid7())) == limit
        assert len(queries) == 2, queries.captured_queries
