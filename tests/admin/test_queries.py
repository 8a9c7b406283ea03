"""Admin pages need few queries, and no more for a hundred thousand games than for none."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from games import runtime
from players.models import Player
from tests.results.game_logs import MONDAY, ended, people, stored

MANY = 100_000
MAX_QUERIES = 25
PAGES = (
    "",
    "games/game/",
    "games/game/?status=playing",
    "games/game/?q=Player",
    "games/game/?p=40",
    "games/game/?sheet=classic&rated=yes&reason=four_penalties",
    "games/game/?player=Player%207",
    "games/game/statistics/?days=365",
    "games/game/signals/",
    "players/player/",
    "players/player/?q=Player%207",
    "players/player/?q=7@example.org",
    "players/report/",
    "players/staffaction/",
    "players/staffaction/?q=Player",
)
MADE = "lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - n * 10), 12, '0')"
ID = f"({MADE} || '70008000' || lpad(to_hex(n), 12, '0'))::uuid"
STATUS = "(ARRAY['open', 'playing', 'finished', 'aborted', 'voided'])[1 + n % 5]"
SEED = f"""
INSERT INTO games_game (id, ruleset, sheet, status, visibility, rated, seats, code, version, head_hash, waiting,
                        created_at, updated_at, ended_at)
SELECT {ID}, 'qwixx', 'classic', {STATUS}, 'public', true, 2, lpad(to_hex(n), 6, '0'), 1, ''::bytea, 0,
       now() - n * interval '10 ms', now(), CASE WHEN n % 5 > 1 THEN now() END
  FROM generate_series(1, {MANY}) AS n;
INSERT INTO games_seat (game_id, seat, player, bot) SELECT id, 0, id, '' FROM games_game;
INSERT INTO players_player (id, name, email, password, locale, is_staff, is_superuser, is_active, created_at)
SELECT {ID}, 'Player ' || n, n || '@example.org', '', '', false, false, true, now()
  FROM generate_series(1, {MANY}) AS n;
INSERT INTO players_report (id, by_id, player_id, reason, text, created_at, resolution)
SELECT id, id, id, 'abuse', 'Swears.', now(), '' FROM players_player WHERE name <> 'boss' LIMIT 1000;
ANALYZE games_game, players_player
"""  # noqa: S608  (constants only)


def superuser_client() -> Client:
    player = Player(name="boss", email="boss@example.org", is_staff=True, is_superuser=True)
    player.save()
    client = Client()
    client.force_login(player)
    session = client.session
    session[DEVICE_ID_SESSION_KEY] = TOTPDevice.objects.create(user=player, name="TOTP").persistent_id
    session.save()
    return client


@pytest.fixture
def boss(db: None) -> Iterator[Client]:
    yield superuser_client()
    cache.clear()


def query_counts(boss: Client) -> dict[str, int]:
    cache.clear()
    counts = {}
    own = f"players/player/{Player.objects.get(name='boss').pk}/change/"
    for page in (*PAGES, own):
        counts[page] = query_count(boss, page)
    return counts


def query_count(boss: Client, page: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert boss.get(f"/admin/{page}").status_code == 200, page
    return len(queries)


def test_pages_need_few_queries_for_any_number_of_games(boss: Client) -> None:
    before = query_counts(boss)
    with connection.cursor() as cursor:
        cursor.execute(SEED)
    after = query_counts(boss)
    assert max(after.values()) <= MAX_QUERIES, after
    assert all(after[page] <= before[page] + 2 for page in PAGES), (before, after)


def test_page_of_a_game_needs_few_queries_for_any_number_of_players(transactional_db: None) -> None:
    boss = superuser_client()
    few, many = stored([ended(people(seats), range(seats), MONDAY) for seats in (2, 5)])
    try:
        # The first request fills caches.
        counts = [query_count(boss, f"games/game/{game}/change/") for game in (few, few, many)]
    finally:
        runtime.end()
    assert counts[1] == counts[2] <= MAX_QUERIES, counts
