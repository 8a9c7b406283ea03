"""The dashboard counts what there is, by day, and says what is not well."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import override_settings
from django.utils import translation

from games import tasks
from games.admin import dashboard, health
from games.admin.figures import DAYS, TIME_OUTS, UNDER_WAY, figures, first_id
from tests.admin.conftest import LogIn
from tests.admin.test_queries import SEED
from tests.api.client import Player, table
from tests.players.conftest import in_a_thread

NOW = datetime.now(UTC)
EVENTS = """
INSERT INTO games_event (game_id, version, type, v, data, hash, at)
SELECT gen_random_uuid(), n, CASE WHEN n % 2 = 0 THEN 'time_ran_out' ELSE 'dice_rolled' END, 1, '{}', ''::bytea,
       now() - (n / 10) * interval '1 day'
  FROM generate_series(0, 299) AS n
"""


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def run(query: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall()) if cursor.description else []


def chart(shown: str) -> dict[str, list[float]]:
    return {found["label"]: found["data"] for found in json.loads(shown)["datasets"]}


@pytest.mark.django_db
def test_time_outs_are_shown_by_day_and_nothing_else_is_counted_as_one() -> None:
    run(EVENTS)
    shown = dashboard.shown(figures())
    assert chart(shown["time_outs"]) == {"time-outs": [5] * DAYS}
    assert shown["time_outs_total"] == 5 * DAYS
    assert len(json.loads(shown["time_outs"])["labels"]) == DAYS


@pytest.mark.django_db
def test_games_are_counted_by_what_became_of_them_and_those_under_way_however_old_they_are() -> None:
    run(SEED.partition("INSERT INTO games_seat")[0].replace("100000", "100"))
    old = str(first_id(NOW - timedelta(days=60)))
    run("UPDATE games_game SET id = %s, created_at = now() - interval '60 days' WHERE code = '000001'", old)
    shown = dashboard.shown(figures())
    assert [number for _, _, number in shown["counts"]] == [20, 20, 20, 20, 20]
    by_status = chart(shown["games"])
    assert {status: sum(days) for status, days in by_status.items()} == {
        **dict.fromkeys(("open", "finished", "aborted", "voided"), 20),
        "in progress": 19,
    }
    ((ruleset, number, *_),) = shown["lengths"]
    assert (ruleset, number) == ("Qwixx", 40)


@pytest.mark.django_db
def test_what_is_counted_is_found_by_an_index() -> None:
    run(SEED.partition("INSERT INTO games_seat")[0])
    run("UPDATE games_game SET status = 'finished' WHERE status IN ('open', 'playing') AND code > '000064'")
    run(EVENTS)
    run("ANALYZE games_game, games_event")
    since = NOW - timedelta(days=1)
    for query, value in ((UNDER_WAY, first_id(since + timedelta(days=2))), (TIME_OUTS, since)):
        plan = "\n".join(line for (line,) in run(f"EXPLAIN {query}", value))
        assert "Seq Scan" not in plan, plan


@pytest.mark.django_db
def test_numbers_are_kept_for_a_while_and_words_are_not() -> None:
    kept = figures()
    with translation.override("uk"):
        shown = dashboard.shown(kept)
        assert list(chart(shown["games"])) == ["триває", "відкрита", "закінчена", "перервана", "анульована"]
    assert list(chart(dashboard.shown(kept)["games"])) == ["in progress", "open", "finished", "aborted", "voided"]


@pytest.mark.django_db
def test_what_is_not_well_is_said() -> None:
    run("DELETE FROM games_pulse")
    signs = {sign.name: sign for sign in health.signs(overdue=3, outages=0)}
    ill = {name for name, sign in signs.items() if not sign.is_well}
    assert ill == {"overdue", "pulse", "swept", "workers"}  # no worker runs in tests
    run("INSERT INTO games_pulse (id, at, swept_at) VALUES (1, now(), now() - interval '9 seconds')")
    told = {name: (figure, is_well) for name, figure, is_well in dashboard.shown(figures())["health"]}
    assert told["last sign of life"][1]
    assert told["deadlines last looked through"] == ("9.0 s ago", False)
    assert told["workers"] == ("no answer", False)
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        cache.clear()
        told = {name: (figure, is_well) for name, figure, is_well in dashboard.shown(figures())["health"]}
    assert told["Redis"] == ("away", False)


async def test_a_game_that_is_voided_no_longer_counts_for_anybody(log_in: LogIn, ann: Player, bob: Player) -> None:
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
    await in_a_thread(staff.order, f"games/game/{game['id']}", "void", reason="A test.")
    assert await standing() == before
    assert "game voided" in await in_a_thread(staff.page, "players/staffaction/")
