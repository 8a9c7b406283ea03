"""The dashboard counts games and players by day and marks failed health checks."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games import tasks
from games.admin import dashboard, health
from games.admin.figures import DAYS, IN_PROGRESS, MATCHED, figures
from games.matchmaking.models import Ticket
from games.results import daily_figures
from players.database.ids import earliest, uuid7
from tests.admin.conftest import LogIn
from tests.admin.test_queries import SEED, STATUS
from tests.api.client import Player, table
from tests.players.conftest import in_a_thread
from tests.query_plans import rows_read

NOW = datetime.now(UTC)
EVENTS = """
INSERT INTO games_event (game_id, version, type, v, data, hash, at)
SELECT gen_random_uuid(), n, CASE WHEN n % 2 = 0 THEN 'time_ran_out' ELSE 'dice_rolled' END, 1, '{}', ''::bytea,
       now() - (n / 10) * interval '1 day'
  FROM generate_series(0, 299) AS n
"""


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def run(query: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall()) if cursor.description else []


def rolled_up() -> Any:
    """The dashboard after the daily figures of its period have been computed."""
    daily_figures.roll_up(figures()["days"])
    return dashboard.render(figures())


def chart(data: str) -> dict[str, list[float]]:
    return {found["label"]: found["data"] for found in json.loads(data)["datasets"]}


@pytest.mark.django_db
def test_dashboard_counts_time_outs_by_day_and_no_other_events() -> None:
    run(EVENTS)
    rendered = rolled_up()
    assert chart(rendered["time_outs"]) == {"Time-outs": [5] * DAYS}
    assert rendered["time_outs_total"] == 5 * DAYS
    assert len(json.loads(rendered["time_outs"])["labels"]) == DAYS


@pytest.mark.django_db
def test_dashboard_counts_games_by_status_and_games_in_progress_of_any_age() -> None:
    run(SEED.partition("INSERT INTO games_seat")[0].replace("100000", "100"))
    old = str(earliest(NOW - timedelta(days=60)))
    run("UPDATE games_game SET id = %s, created_at = now() - interval '60 days' WHERE code = '000001'", old)
    run("UPDATE games_game SET visibility = 'private' WHERE code = '000006'")
    rendered = rolled_up()
    assert [number for _, _, number in rendered["counts"]] == [20, 20, 20, 20, 20]
    by_status = chart(rendered["games"])
    assert {status: sum(days) for status, days in by_status.items()} == {
        **dict.fromkeys(("Open", "Finished", "Aborted", "Voided"), 20),
        "In progress": 19,
    }
    ((ruleset, number, *_),) = rendered["lengths"]
    assert (ruleset, number) == ("Qwixx", 40)


@pytest.mark.django_db
def test_dashboard_does_not_read_all_games_and_events() -> None:
    rare = f"CASE WHEN n <= 100 THEN {STATUS} ELSE 'finished' END"
    run(SEED.partition("INSERT INTO games_seat")[0].replace(STATUS, rare))
    run("ANALYZE games_game, games_event")
    assert rows_read(IN_PROGRESS) <= 1000
    with CaptureQueriesContext(connection) as queries:
        figures()
    own = [query["sql"] for query in queries if query["sql"].lstrip().startswith("SELECT")]
    assert len(own) >= 8
    assert max(map(rows_read, own)) <= 1000


@pytest.mark.django_db
def test_dashboard_shows_the_wait_of_players_who_were_matched_within_the_hour() -> None:
    run(SEED.partition("INSERT INTO games_seat")[0].replace("100000", "3"))
    settings = {"ruleset": "qwixx", "sheet": "classic", "seats": 2, "rated": False, "rating": 1000.0}
    for (game, created_at), waited in zip(run("SELECT id, created_at FROM games_game"), (4, 6, 60), strict=True):
        times = {"created_at": created_at - timedelta(seconds=waited), "seen_at": created_at}
        Ticket.objects.create(player=uuid7(), game=game, status="matched", **settings, **times)
    ((ruleset, waiting, _, matched, wait),) = dashboard.render(figures())["queue"]
    assert (ruleset, waiting, matched) == ("Qwixx", 0, 3)
    assert wait == "6 s"
    assert run(MATCHED, earliest(NOW + timedelta(hours=1))) == []


@pytest.mark.django_db
def test_cached_figures_are_labelled_in_the_language_of_each_request() -> None:
    cached = figures()
    with translation.override("uk"):
        rendered = dashboard.render(cached)
        assert list(chart(rendered["games"])) == ["Триває", "Відкрита", "Закінчена", "Перервана", "Анульована"]
    assert list(chart(dashboard.render(cached)["games"])) == ["In progress", "Open", "Finished", "Aborted", "Voided"]


@pytest.mark.django_db
def test_dashboard_marks_failed_health_checks() -> None:
    run("DELETE FROM games_pulse")
    failed = {check.name for check in health.checks(overdue=3, outages=0) if not check.is_ok}
    assert failed == {"overdue", "pulse", "swept", "workers"}  # no worker runs in tests
    run("INSERT INTO games_pulse (id, at, swept_at) VALUES (1, now(), now() - interval '9 seconds')")
    checks = {name: (value, is_ok) for name, value, is_ok in dashboard.render(figures())["health"]}
    assert checks["Last heartbeat"][1]
    assert checks["Last deadline sweep"] == ("9.0 s ago", False)
    assert checks["Workers"] == ("not responding", False)
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        cache.clear()
        checks = {name: (value, is_ok) for name, value, is_ok in dashboard.render(figures())["health"]}
    assert checks["Redis"] == ("unreachable", False)


async def test_voided_game_counts_in_no_statistics_and_no_leaderboard(log_in: LogIn, ann: Player, bob: Player) -> None:
    async def standing() -> Any:
        await in_a_thread(tasks.project_results, is_thorough=True)
        stats = [(await ann.get(f"/players/{player.player['id']}/stats")) for player in (ann, bob)]
        boards = [await ann.get(f"/leaderboards/qwixx/{metric}") for metric in ("rating", "wins", "points")]
        return stats, [board["results"] for board in boards]

    before = await standing()
    game = await table([ann, bob], rated=True)
    await bob.act(game, {"type": "resign"})
    after = await standing()
    assert after != before
    assert all(after[1])
    staff = await in_a_thread(log_in, "administrator")
    await in_a_thread(staff.perform, f"games/game/{game['id']}", "void", reason="A test.")
    assert await standing() == before
    assert "Game voided" in await in_a_thread(staff.page, "players/staffaction/")
