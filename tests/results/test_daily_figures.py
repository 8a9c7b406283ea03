"""Daily figures: what is kept day by day equals what is rebuilt, and a worker that dies changes nothing."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from games.results import daily_figures
from games.results.figure_models import ActiveDay, DailyFigure
from players.database.ids import earliest
from players.models import Player
from tests.results.game_logs import ended, stored, voided

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
DAYS = [(START + n * DAY).date() for n in range(40)]
RESULTS = (DailyFigure.objects.order_by("day", "name", "ruleset", "label"), ActiveDay.objects.order_by("day", "player"))


def newcomers(count: int, at: datetime, **fields: Any) -> list[UUID]:
    ids = [UUID(int=earliest(at).int + Random(f"{at} {n}").getrandbits(60)) for n in range(count)]
    Player.objects.bulk_create(Player(id=each, name="Player", **fields) for each in ids)
    return ids


def game(players: Sequence[UUID | None], at: datetime, **settings: Any) -> UUID:
    """A game that began at this time and ended then; the first player wins."""
    game_id = UUID(int=earliest(at).int + Random(f"{at} {players}").getrandbits(60))
    points = range(len(players), 0, -1)
    return stored([ended(players, points, at, game_id=game_id, **settings)])[0]


def kept() -> list[Any]:
    return [list(rows.values_list()) for rows in RESULTS]


def figure(day: int, name: str, label: str = "", ruleset: str = "") -> int:
    found = DailyFigure.objects.filter(day=DAYS[day], name=name, label=label, ruleset=ruleset)
    return found.values_list("value", flat=True).first() or 0


@pytest.fixture
def played(transactional_db: None) -> list[UUID]:
    """Four come on the first day; two of them play on the next, one a week later, one a month later."""
    people = newcomers(4, START)
    game(people, START)
    voided(game([people[0], None], START + timedelta(hours=1), ruleset="qwinto"), START + timedelta(hours=2))
    game([people[0], people[1], None], START + DAY)
    game([None, people[2]], START + 7 * DAY)
    game(people[3:] + newcomers(1, START + 30 * DAY), START + 30 * DAY, left=[1])
    return people


def test_figures_count_players_returns_ends_and_bots(played: list[UUID]) -> None:
    daily_figures.roll_up(DAYS)
    assert [figure(0, "new"), figure(30, "new"), figure(1, "new")] == [4, 1, 0]
    assert [figure(0, "active", span) for span in ("1", "7", "30")] == [4, 4, 4]
    assert [figure(7, "active", span) for span in ("1", "7", "30")] == [1, 3, 4]
    assert [figure(0, "retained", span) for span in ("1", "7", "30")] == [2, 1, 1]
    assert [figure(day, "returning") for day in (0, 1, 7, 30)] == [0, 2, 1, 1]
    assert figure(0, "games", "finished", "qwixx") == figure(0, "games", "voided", "qwinto") == 1
    assert figure(0, "ends", "voided", "qwinto") == figure(0, "ends", "four_penalties", "qwixx") == 1
    assert [figure(0, "seats", ruleset="qwixx"), figure(1, "seats", ruleset="qwixx")] == [4, 2]
    assert [figure(1, "bot_games", "easy", "qwixx"), figure(1, "bot_wins", "easy", "qwixx")] == [1, 0]
    assert figure(7, "bot_wins", "easy", "qwixx") == 1


def test_figures_that_are_kept_equal_those_that_are_rebuilt(played: list[UUID]) -> None:
    for n, day in enumerate(DAYS[:10]):
        game([played[n % 4], None], START + n * DAY + timedelta(hours=3))
        daily_figures.roll_up([each for each in daily_figures.recent(day) if each >= DAYS[0]])
    daily_figures.roll_up(DAYS[8:10])  # a task that is delivered twice
    found = kept()
    assert len(found[0]) > 50
    daily_figures.rebuild(DAYS[9])
    assert kept() == found


@pytest.mark.parametrize("statement", ["DELETE FROM games_activeday", "DELETE FROM games_dailyfigure", "WITH born"])
def test_worker_that_dies_while_it_rolls_a_day_up_loses_and_doubles_nothing(played: list[UUID], statement: str) -> None:
    daily_figures.roll_up(DAYS)
    before = kept()

    def die(execute: Any, sql: str, *arguments: Any) -> Any:
        found = execute(sql, *arguments)
        if statement in sql:
            raise ConnectionResetError  # after the statement, before the commit
        return found

    with connection.execute_wrapper(die), pytest.raises(ConnectionResetError):
        daily_figures.roll_up(DAYS)
    assert kept() == before
    daily_figures.roll_up(DAYS)
    assert kept() == before


def test_time_outs_outlive_the_logs_that_contain_them(played: list[UUID]) -> None:
    DailyFigure.objects.create(day=DAYS[0], name="time_outs", value=3)
    daily_figures.rebuild(DAYS[-1])
    assert figure(0, "time_outs") == 3


def test_days_begin_with_the_first_game_or_player(played: list[UUID]) -> None:
    Player.objects.update(created_at=START)
    assert daily_figures.all_days(DAYS[-1]) == DAYS
    assert daily_figures.recent(DAYS[39]) == [DAYS[n] for n in (8, 9, 31, 32, 37, 38, 39)]
