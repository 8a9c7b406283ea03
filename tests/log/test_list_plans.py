"""A page of a list reads about as many rows as it shows, and needs one query, among many games."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from games.api.list_filters import time
from games.log.reads import game_filters
from games.log.reads.game_filters import GameFilters
from games.log.reads.summaries import summaries
from players.database.ids import uuid7
from tests.query_plans import rows_read

MANY = 60_000
PLAYER = "00000000-0000-7000-8000-0000000000aa"
ANOTHER = "00000000-0000-7000-8000-0000000000bb"
HISTORY = 10  # games of the player, the oldest of all: so few that any other plan costs ten times as much
PAGE = 21  # and one more, which says whether another page follows
# Most games are finished, on the sheet `classic`, and not rated; one in a hundred is of each of the other kinds: so
# few that reading all games costs a page a hundred times as much, and so many that sorting the kind costs thirty times.
SEED = f"""
INSERT INTO games_game (id, ruleset, sheet, status, visibility, rated, seats, code, version, head_hash, waiting,
                        created_at, updated_at, ended_at)
SELECT (lpad(to_hex(n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
       CASE WHEN n % 100 = 7 THEN 'qwinto' ELSE 'qwixx' END, CASE WHEN n % 100 = 8 THEN 'mixed' ELSE 'classic' END,
       coalesce((ARRAY['open', 'playing', 'aborted', 'voided'])[n % 100], 'finished'),
       CASE WHEN n % 10 = 9 THEN 'private' ELSE 'public' END, n % 100 = 5, 2, lpad(to_hex(n), 6, '0'), 1, ''::bytea, 0,
       '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 min', now(),
       CASE WHEN n % 100 NOT IN (1, 2) THEN '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 min' END
  FROM generate_series(1, {MANY}) AS n;
INSERT INTO games_seat (game_id, seat, player, bot)
SELECT id, 0, CASE WHEN row_number() OVER (ORDER BY id) <= {HISTORY} THEN '{PLAYER}' ELSE gen_random_uuid() END, ''
  FROM games_game;
ANALYZE games_game, games_seat
"""  # noqa: S608  (constants only)
BEFORE, AFTER = time("2026-01-20T00:00:00Z"), time("2026-01-19T00:00:00Z")
OF_GAMES = {
    "open": GameFilters(status=("open",)),
    "playing": GameFilters(status=("playing",)),
    "open,playing": GameFilters(status=("open", "playing")),
    "voided": GameFilters(status=("voided",)),
    "ruleset": GameFilters(status=("finished",), ruleset="qwinto"),
    "sheet": GameFilters(status=("finished",), sheet="mixed"),
    "rated": GameFilters(status=("finished",), rated=True),
    "ended": GameFilters(ended_after=AFTER, ended_before=BEFORE),
    "ended, finished": GameFilters(status=("finished",), ended_before=BEFORE),
}
OF_SEATS = {
    "player": GameFilters(player=UUID(PLAYER)),
    "player, open": GameFilters(player=UUID(PLAYER), status=("open",)),
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


def read_by(rows: QuerySet[Any]) -> float:
    query, parameters = rows[:PAGE].query.sql_with_params()
    return rows_read(query, *parameters)


@pytest.mark.parametrize("name", OF_GAMES)
def test_a_page_of_public_games_reads_little_more_than_it_shows(many_games: None, db: None, name: str) -> None:
    filters = OF_GAMES[name]
    order = ("-ended_at", "-id") if filters.is_by_end else ("-id",)
    assert PAGE <= read_by(game_filters.games(filters).order_by(*order)) <= 5 * PAGE  # and their seats


@pytest.mark.parametrize("viewer", [PLAYER, ANOTHER], ids=["own", "another's"])
@pytest.mark.parametrize("name", OF_SEATS)
def test_a_list_of_one_player_reads_few_games_of_other_players(
    many_games: None, db: None, name: str, viewer: str
) -> None:
    filters = OF_SEATS[name]
    order = ("-ended_at", "-game_id") if filters.is_by_end else ("-game_id",)
    assert read_by(game_filters.seats(filters, UUID(viewer)).order_by(*order)) <= MANY / 50  # the open ones


def test_a_page_of_summaries_needs_one_query_and_one_for_names(many_games: None, db: None) -> None:
    for limit in (1, 100):
        with CaptureQueriesContext(connection) as queries:
            rows = game_filters.games(GameFilters(status=("finished",))).order_by("-id")[:limit]
            assert len(summaries(rows, uuid7())) == limit
        assert len(queries) == 2, queries.captured_queries
