"""Ratings, figures and boards: the same games give the same values, in whatever order they come, or come back."""

from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command
from django.db import transaction

from games.log import finished_games
from games.matchmaking import matchmaker
from games.results import projector
from games.results_tasks import EVER
from games.runtime import conninfo
from players.database.advisory_lock import try_lock
from players.models import LeaderboardStanding, PlayedGame, RatingChange
from players.ratings import projections, rating_projection
from players.ratings.skill import INITIAL_SKILL
from tests.results import naive
from tests.results.logs import MONDAY, ended, exports, people, season, stored, voided
from tests.results.stored import as_worked_out, tables

pytestmark = pytest.mark.django_db(transaction=True)


def fed(*games: UUID) -> None:
    with try_lock() as is_ours:
        assert is_ours
        projections.project(finished_games.results(list(games)))


def test_games_are_taken_in_as_the_logs_have_them() -> None:
    games = stored(season(people(12), 150))
    projector.take_in(EVER)
    assert as_worked_out() == naive.work_out(exports(games))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_games_arrive_does_not_matter(seed: int) -> None:
    games = stored(season(people(8), 60, seed))
    luck = Random(seed)
    luck.shuffle(games)
    while games:
        count = luck.randint(1, 9)
        fed(*games[:count])
        games = games[count:]
    piecemeal = tables()
    call_command("rebuild_projections")
    assert tables() == piecemeal


def test_a_game_that_is_fed_again_changes_nothing() -> None:
    games = stored(season(people(5), 20))
    fed(*games)
    before = tables()
    fed(*games)
    assert tables() == before
    projector.take_in(EVER)
    assert tables() == before


def test_a_voided_game_is_taken_out_and_later_ratings_follow() -> None:
    games = stored(season(people(6), 40))
    projector.take_in(EVER)
    voided(games[3], MONDAY + timedelta(days=60))
    voided(games[17], MONDAY + timedelta(days=60))
    projector.take_in(EVER)
    assert as_worked_out() == naive.work_out(exports(games))
    assert not PlayedGame.objects.filter(game__in=[games[3], games[17]]).exists()
    before = tables()
    call_command("rebuild_projections")
    assert tables() == before


def test_a_game_voided_before_it_was_taken_in_never_counts() -> None:
    ann, ben = people(2)
    (game,) = stored([ended([ann, ben], [10, 5], MONDAY)])
    voided(game, MONDAY)
    projector.take_in(EVER)
    assert not PlayedGame.objects.exists()
    assert finished_games.untaken(EVER, 10) == []


def test_only_rated_games_between_people_count() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY, rated=False), ended([ann, None], [10, 5], MONDAY)])
    projector.take_in(EVER)
    assert PlayedGame.objects.count() == 3
    assert not RatingChange.objects.exists()
    assert not LeaderboardStanding.objects.exists()
    assert rating_projection.current([ann], "qwixx") == {ann: INITIAL_SKILL}


def test_who_deserts_comes_last_whatever_his_points() -> None:
    ann, ben, cat = people(3)
    stored([ended([ann, ben, cat], [10, 90, 5], MONDAY, left=[1])])
    projector.take_in(EVER)
    now = rating_projection.current([ann, ben, cat], "qwixx")
    assert now[ann].mu > now[cat].mu > now[ben].mu
    assert PlayedGame.objects.get(player=ben).deserted
    assert LeaderboardStanding.objects.get(player=ben, board__period="all").wins == 0


def test_a_tie_of_equals_changes_nobodys_strength_but_makes_it_surer() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [50, 50], MONDAY)])
    projector.take_in(EVER)
    for skill in rating_projection.current([ann, ben], "qwixx").values():
        assert skill.mu == pytest.approx(INITIAL_SKILL.mu)
        assert skill.sigma < INITIAL_SKILL.sigma


def test_a_rating_is_provisional_until_the_tenth_game() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [n, 5], MONDAY + timedelta(hours=n)) for n in range(10)])
    games = finished_games.untaken(EVER, 100)
    fed(*games[:9])
    assert rating_projection.current([ann], "qwixx")[ann].is_provisional
    fed(games[9])
    assert not rating_projection.current([ann], "qwixx")[ann].is_provisional


def test_rulesets_are_rated_apart() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY), ended([ann, ben], [1, 5], MONDAY, ruleset="qwinto")])
    projector.take_in(EVER)
    assert (
        rating_projection.current([ann], "qwixx")[ann].mu
        > INITIAL_SKILL.mu
        > rating_projection.current([ann], "qwinto")[ann].mu
    )


def test_players_are_told_of_new_changes_once_and_after_the_commit(replace_extensions: Any) -> None:
    heard: list[tuple[str, Any]] = []
    replace_extensions(notify=lambda player, message: heard.append((player, message)))
    ann, ben = people(2)
    later, earlier = stored([ended([ann, ben], [10, 5], MONDAY), ended([ann, ben], [1, 5], MONDAY - timedelta(days=1))])
    with transaction.atomic():
        fed(later)
        assert heard == []
    rating = {"value": rating_projection.current([ann], "qwixx")[ann].shown, "before": 1000, "provisional": True}
    message = {"type": "rating_changed", "ruleset": "qwixx", "game": str(later), "rating": rating}
    assert [told for player, told in heard if player == str(ann)] == [message]
    assert len(heard) == 2
    fed(earlier)  # the later one is worked out again, which is nobody's news
    assert [told["game"] for _, told in heard[2:]] == [str(earlier)] * 2
    call_command("rebuild_projections")
    assert len(heard) == 4


def test_a_log_that_cannot_be_read_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    ann, ben = people(2)
    bad = ended([ann, ben], [10, 5], MONDAY)
    broken = bad._replace(
        events=tuple(e._replace(type="nonsense") if e.type == "game_created" else e for e in bad.events)
    )
    stored([broken, ended([ann, ben], [10, 5], MONDAY + timedelta(days=1))])
    projector.take_in(EVER)
    assert PlayedGame.objects.count() == 2
    assert "cannot be read" in caplog.text


def test_everybody_reads_what_was_until_a_rebuild_is_done() -> None:
    stored(season(people(5), 10))
    projector.take_in(EVER)
    before = tables()
    seen = []

    def looking_on(steps: range) -> list[int]:
        seen.append(_from_outside())
        return list(steps)

    projector.rebuild(looking_on)
    assert seen == [len(before["played"])]
    assert tables() == before


def _from_outside() -> int:
    with psycopg.connect(conninfo()) as line:
        (count,) = line.execute("SELECT count(*) FROM players_played").fetchone() or (0,)
        return int(count)


def test_who_waits_for_a_game_is_matched_by_his_rating() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY)])
    projector.take_in(EVER)
    assert matchmaker.strength(ann, "qwixx") > 1000 > matchmaker.strength(ben, "qwixx")
    assert matchmaker.strength(ann, "qwinto") == 1000
