"""The statistics page shows the daily figures as charts, tables and CSV files, with one query for any period."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.admin.overview.tables import TABLES
from games.results.figure_models import DailyFigure
from tests.admin.test_queries import query_count, superuser_client

TODAY = timezone.now().date()
PAGE = "/admin/games/game/statistics/"


@pytest.fixture
def boss(db: None) -> Client:
    for ago, new, back in ((1, 10, 5), (40, 8, 2)):
        day = TODAY - timedelta(days=ago)
        DailyFigure.objects.bulk_create(
            [
                DailyFigure(day=day, name="new", value=new),
                DailyFigure(day=day, name="retained", label="1", value=back),
                DailyFigure(day=day, name="active", label="1", value=20),
                DailyFigure(day=day, name="seats", ruleset="qwixx", value=30),
                DailyFigure(day=day, name="seats", ruleset="qwinto", value=10),
                DailyFigure(day=day, name="bot_games", ruleset="qwixx", label="hard", value=4),
                DailyFigure(day=day, name="bot_wins", ruleset="qwixx", label="hard", value=3),
            ]
        )
    return superuser_client()


def rows(boss: Client, name: str, query: str = "days=90") -> dict[str, list[str]]:
    answer = boss.get(f"{PAGE}{name}.csv?{query}")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    _, *found = csv.reader(io.StringIO(answer.getvalue().decode()))
    return {row[0]: row[1:] for row in found}


def test_csv_has_every_day_of_the_period_for_the_chosen_ruleset(boss: Client) -> None:
    yesterday = (TODAY - timedelta(days=1)).isoformat()
    assert rows(boss, "per_player")[yesterday] == ["2.0"]
    assert rows(boss, "per_player", "days=90&ruleset=qwixx")[yesterday] == ["1.5"]
    assert rows(boss, "bots") == {"hard": ["8", "6", "75.0"]}
    assert [len(rows(boss, "active", f"days={days}")) for days in (14, 30, 90, 365, 7)] == [14, 30, 90, 365, 30]


def test_retention_is_empty_for_days_that_have_not_been_yet(boss: Client) -> None:
    found = rows(boss, "retention")
    assert found[(TODAY - timedelta(days=1)).isoformat()] == ["10", "50.0", "", ""]
    assert found[(TODAY - timedelta(days=40)).isoformat()] == ["8", "25.0", "0.0", "0.0"]


def test_every_chart_has_a_table_and_a_file(boss: Client) -> None:
    page = boss.get(PAGE).content.decode()
    assert page.count("<table") == len(TABLES)
    for name in TABLES:
        assert f"{PAGE}{name}.csv?days=30" in page
        assert rows(boss, name) or name in ("bots",)
    assert boss.get(f"{PAGE}unknown.csv").status_code == 404
    assert Client().get(PAGE).status_code == 302


def test_statistics_need_as_many_queries_for_a_year_as_for_two_weeks(boss: Client) -> None:
    counts = [query_count(boss, f"games/game/statistics/?days={days}") for days in (14, 14, 365)]
    assert counts[1] == counts[2] <= 10
