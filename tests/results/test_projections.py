"""Ratings, statistics and leaderboards: the same games give the same values in any order, and again."""

from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command
from django.db import transaction

from games.log.reads import finished_games
from games.matchmaking import matchmaker
from games.metrics.shared_counters import PROJECTION_LAG
from games.results import projector
from games.runtime import conninfo
from players.database.transactions import try_lock
from players.models import LeaderboardStanding, PlayedGame, RatingChange
from players.ratings import projections, rating_projection
from players.ratings.skill import INITIAL_SKILL
from tests.metric_values import taken
from tests.results import reference
from tests.results.game_logs import MONDAY, ended, exports, people, season, stored, voided
from tests.results.stored_results import stored_results, tables

pytestmark = pytest.mark.django_db(transaction=True)


def project(*games: UUID) -> None:
    with try_lock() as is_ours:
        assert is_ours
        projections.project(finished_games.results(list(games)))


def test_projections_equal_the_reference_on_the_exported_logs() -> None:
    games = stored(season(people(12), 150))
    projector.project_new()
    assert stored_results() == reference.compute(exports(games))


@pytest.mark.parametrize("seed", range(3))
def test_projections_do_not_depend_on_the_order_of_games(seed: int) -> None:
    games = stored(season(people(8), 60, seed))
    luck = Random(seed)
    luck.shuffle(games)
    while games:
        count = luck.randint(1, 9)
        project(*games[:count])
        games = games[count:]
    piecemeal = tables()
    call_command("rebuild_projections")
    assert tables() == piecemeal


def test_the_lag_of_each_projection_is_measured() -> None:
    taken(PROJECTION_LAG)
    stored(season(people(5), 4))
    projector.project_new()
    assert taken(PROJECTION_LAG) == 4


def test_a_game_that_is_projected_again_changes_nothing() -> None:
    games = stored(season(people(5), 20))
    project(*games)
    before = tables()
    project(*games)
    assert tables() == before
    projector.project_new()
    assert tables() == before


def test_a_voided_game_is_removed_and_later_ratings_are_computed_again() -> None:
    games = stored(season(people(6), 40))
    projector.project_new()
    voided(games[3], MONDAY + timedelta(days=60))
    voided(games[17], MONDAY + timedelta(days=60))
    projector.project_new()
    assert stored_results() == reference.compute(exports(games))
    assert not PlayedGame.objects.filter(game__in=[games[3], games[17]]).exists()
    before = tables()
    call_command("rebuild_projections")
    assert tables() == before


def test_a_game_voided_before_its_projection_never_counts() -> None:
    ann, ben = people(2)
    (game,) = stored([ended([ann, ben], [10, 5], MONDAY)])
    voided(game, MONDAY)
    projector.project_new()
    assert not PlayedGame.objects.exists()
    assert finished_games.unprojected(projector.EVER, 10) == []


def test_only_rated_games_between_people_change_ratings() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY, rated=False), ended([ann, None], [10, 5], MONDAY)])
    projector.project_new()
    assert PlayedGame.objects.count() == 3
    assert not RatingChange.objects.exists()
    assert not LeaderboardStanding.objects.exists()
    assert rating_projection.current([ann], "qwixx") == {ann: INITIAL_SKILL}


def test_a_player_who_leaves_comes_last_whatever_their_points() -> None:
    ann, ben, cat = people(3)
    stored([ended([ann, ben, cat], [10, 90, 5], MONDAY, left=[1])])
    projector.project_new()
    now = rating_projection.current([ann, ben, cat], "qwixx")
    assert now[ann].mu > now[cat].mu > now[ben].mu
    assert PlayedGame.objects.get(player=ben).deserted
    assert LeaderboardStanding.objects.get(board__sheet="", player=ben, board__period="all").wins == 0


def test_a_tie_of_equal_players_changes_only_the_certainty_of_their_ratings() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [50, 50], MONDAY)])
    projector.project_new()
    for skill in rating_projection.current([ann, ben], "qwixx").values():
        assert skill.mu == pytest.approx(INITIAL_SKILL.mu)
        assert skill.sigma < INITIAL_SKILL.sigma


def test_a_rating_is_provisional_until_the_tenth_game() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [n, 5], MONDAY + timedelta(hours=n)) for n in range(10)])
    games = finished_games.unprojected(projector.EVER, 100)
    project(*games[:9])
    assert rating_projection.current([ann], "qwixx")[ann].is_provisional
    project(games[9])
    assert not rating_projection.current([ann], "qwixx")[ann].is_provisional


def test_each_ruleset_has_its_own_ratings() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY), ended([ann, ben], [1, 5], MONDAY, ruleset="qwinto")])
    projector.project_new()
    assert (
        rating_projection.current([ann], "qwixx")[ann].mu
        > INITIAL_SKILL.mu
        > rating_projection.current([ann], "qwinto")[ann].mu
    )


def test_players_are_notified_of_new_rating_changes_once_and_after_the_commit(replace_extensions: Any) -> None:
    messages: list[tuple[str, Any]] = []
    replace_extensions(notify=lambda player, message: messages.append((player, message)))
    ann, ben = people(2)
    later, earlier = stored([ended([ann, ben], [10, 5], MONDAY), ended([ann, ben], [1, 5], MONDAY - timedelta(days=1))])
    with transaction.atomic():
        project(later)
        assert messages == []
    rating = {"value": rating_projection.current([ann], "qwixx")[ann].shown, "before": 1000, "provisional": True}
    message = {"type": "rating_changed", "ruleset": "qwixx", "game": str(later), "rating": rating}
    assert [received for player, received in messages if player == str(ann)] == [message]
    assert len(messages) == 2
    project(earlier)  # the later change is computed again, without a notification
    assert [received["game"] for _, received in messages[2:]] == [str(earlier)] * 2
    call_command("rebuild_projections")
    assert len(messages) == 4


def test_an_unreadable_log_does_not_hold_up_other_games(caplog: pytest.LogCaptureFixture) -> None:
    ann, ben = people(2)
    bad = ended([ann, ben], [10, 5], MONDAY)
    broken = bad._replace(
        events=tuple(e._replace(type="nonsense") if e.type == "game_created" else e for e in bad.events)
    )
    stored([broken, ended([ann, ben], [10, 5], MONDAY + timedelta(days=1))])
    projector.project_new()
    assert PlayedGame.objects.count() == 2
    assert "cannot be read" in caplog.text


def test_readers_see_the_old_state_until_a_rebuild_ends() -> None:
    stored(season(people(5), 10))
    projector.project_new()
    before = tables()
    seen = []

    def count_rows(steps: range) -> list[int]:
        seen.append(_rows_seen_by_another_connection())
        return list(steps)

    projector.rebuild(count_rows)
    assert seen == [len(before["played"])]
    assert tables() == before


def _rows_seen_by_another_connection() -> int:
    with psycopg.connect(conninfo()) as line:
        (count,) = line.execute("SELECT count(*) FROM players_played").fetchone() or (0,)
        return int(count)


def test_a_waiting_player_is_matched_by_their_rating() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY)])
    projector.project_new()
    assert matchmaker.matching_rating(ann, "qwixx") > 1000 > matchmaker.matching_rating(ben, "qwixx")
    assert matchmaker.matching_rating(ann, "qwinto") == 1000
