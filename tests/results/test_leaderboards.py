"""Leaderboards: shared ranks, pages, the caller's own place, and a cache whose loss makes no difference."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
import redis
from django.conf import settings
from django.db import connections, transaction

from games.log.reads import finished_games
from games.results import projector
from players.accounts import erasure
from players.models import Leaderboard, LeaderboardStanding, Player
from players.ratings import leaderboard_cache, leaderboard_pages, leaderboard_projection
from players.ratings.leaderboard_cache import METRICS
from players.ratings.leaderboard_pages import TOP, LeaderboardEntry, LeaderboardPage, LeaderboardReader
from tests.results.game_logs import MONDAY, ended, people, season, stored

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = MONDAY.date()


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """Emptied before and after; an error of Redis in another test is forgotten."""
    monkeypatch.setattr(leaderboard_cache.RedisOutage, "until", 0.0)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
        yield client
        client.flushdb()


def reader(metric: str = "wins", period: str = "all", day: date = TODAY) -> LeaderboardReader:
    found = leaderboard_pages.reader("qwixx", period, day, metric)
    assert found
    return found


def played(players: list[UUID], *wins: int) -> None:
    """The last player loses against each other player as often as said."""
    *winners, loser = players
    games = [
        ended([winner, loser], [10, 5], MONDAY + timedelta(minutes=number))
        for winner, count in zip(winners, wins, strict=True)
        for number in range(count)
    ]
    stored(games)
    projector.project_new()


def fill_caches() -> None:
    """Whatever the size of the leaderboards."""
    for board in leaderboard_pages.uncached(TODAY, min_players=1):
        leaderboard_pages.fill(board)


def ranks(page: LeaderboardPage) -> list[tuple[int, int]]:
    return [(entry.rank, entry.value) for entry in page.entries]


def test_ties_share_a_rank_and_the_next_rank_counts_all_before_it() -> None:
    players = people(5)
    played(players, 3, 2, 2, 1)
    page = reader().page(players[3], 10)
    assert ranks(page) == [(1, 3), (2, 2), (2, 2), (4, 1), (5, 0)]
    assert page.you == LeaderboardEntry(4, players[3], 1)


def all_pages(limit: int, metric: str = "wins") -> list[LeaderboardEntry]:
    """Every page down to the end, compared with every page up again."""
    caller = UUID(int=0)
    page = reader(metric).page(caller, limit)
    assert page.before is None
    found, down = [*page.entries], [page]
    while page.after:
        page = reader(metric).after(page.after, caller, limit)
        found += page.entries
        down.append(page)
    while page.before:
        page = reader(metric).before(page.before, caller, limit)
        assert page.entries == down[-2].entries[-len(page.entries) :]
        down.pop()
    return found


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize("metric", METRICS)
def test_pages_of_any_size_hold_every_player_once(metric: str, *, is_cached: bool) -> None:
    stored(season(people(23), 120))
    projector.project_new()
    if is_cached:
        fill_caches()
    whole = reader(metric).page(UUID(int=0), 100).entries
    assert (
        len({entry.player for entry in whole}) == LeaderboardStanding.objects.filter(board=reader(metric).board).count()
    )
    values = [entry.value for entry in whole]
    assert [entry.rank for entry in whole] == [1 + sum(other > value for other in values) for value in values]
    for limit in (1, 2, 7, 22, 23, 24):
        assert all_pages(limit, metric) == whole


def test_a_page_around_the_caller_has_the_caller_in_the_middle() -> None:
    players = people(10)
    played(players, *range(9, 0, -1))
    whole = reader().page(players[0], 10).entries
    for me, first in ((0, 0), (1, 0), (2, 0), (3, 1), (5, 3), (8, 5), (9, 5)):
        page = reader().page(players[me], 5, around_me=True)
        assert page.entries == whole[first : first + 5], me
        assert (page.before is None, page.after is None) == (first == 0, first == 5)
        assert page.you == whole[me]
    assert reader().page(players[4], 1, around_me=True).entries == [whole[4]]
    stranger = reader().page(UUID(int=0), 5, around_me=True)
    assert (stranger.entries, stranger.you) == (whole[:5], None)


def test_games_count_only_in_their_own_periods() -> None:
    ann, ben = people(2)
    weeks = [MONDAY, MONDAY + timedelta(days=6, hours=11), MONDAY + timedelta(days=7), MONDAY + timedelta(days=40)]
    stored([ended([ann, ben], [10 * n, 5], at) for n, at in enumerate(weeks, start=1)])
    projector.project_new()

    def of(period: str, days: int) -> int:
        return reader("points", period, TODAY + timedelta(days=days)).page(ann, 1).entries[0].value

    assert (of("day", 0), of("day", 6), of("week", 3), of("week", 7), of("month", 0), of("month", 40)) == (
        10,
        20,
        30,
        30,
        60,
        40,
    )
    assert of("all", 0) == 100
    assert leaderboard_pages.reader("qwixx", "day", TODAY + timedelta(days=1), "points") is None


def test_the_rating_of_a_past_period_is_the_one_at_its_end() -> None:
    ann, ben = people(2)
    stored([ended([ann, ben], [10, 5], MONDAY + timedelta(hours=n)) for n in (0, 1, 24, 400)])
    projector.project_new()
    day, week, ever = [reader("rating", period).page(ann, 1).entries[0].value for period in ("day", "week", "all")]
    assert 1000 < day < week < ever


def test_the_cache_gives_the_same_places_as_sql() -> None:
    players = people(30)
    stored(season(players, 200))
    projector.project_new()
    fill_caches()
    for metric in METRICS:
        board = reader(metric)
        for row in board.rows_below(TOP, 100):
            cached = leaderboard_cache.rank(board.board, row.revision, metric, row.player, row.value)
            assert cached == board.counted_rank(row)
            assert cached is not None


def cached_boards() -> int:
    return sum(leaderboard_cache.is_current(board.pk, board.revision) for board in Leaderboard.objects.filter(sheet=""))


def test_the_cache_is_updated_with_every_change() -> None:
    players = people(6)
    later = season(players, 30)
    stored(season(players, 30, seed=2))
    projector.project_new()
    fill_caches()
    for game in later:
        stored([game])
        projector.project_new()
    assert reader().board not in leaderboard_pages.uncached(TODAY, min_players=1)
    board = reader("points")
    for row in board.rows_below(TOP, 100):
        assert leaderboard_cache.rank(board.board, row.revision, "points", row.player, row.value) == board.counted_rank(
            row
        )


def test_ranks_come_from_the_cache_while_its_revision_is_current(cache: redis.Redis) -> None:
    players = people(4)
    played(players, 3, 2, 1)
    fill_caches()
    cache.zadd(f"board:{{{reader().board}}}:wins", {b"unknown": 99})
    assert ranks(reader().page(players[2], 10)) == [(2, 3), (3, 2), (4, 1), (5, 0)]


def test_a_cache_that_missed_a_change_is_not_used(cache: redis.Redis) -> None:
    players = people(4)
    played(players, 3, 2, 1)
    fill_caches()
    number = reader().board
    missed = {key: cache.dump(key) or b"" for key in cache.keys(f"board:{{{number}}}*")}
    stored([ended([players[2], players[3]], [10, 5], MONDAY + timedelta(hours=n)) for n in range(5)])
    projector.project_new()
    for key, value in missed.items():
        cache.restore(key, 0, value, replace=True)  # as if the worker had died between its commit and Redis
    assert reader().page(players[2], 1).entries == [LeaderboardEntry(1, players[2], 6)]
    assert leaderboard_cache.rank(number, Leaderboard.objects.get(pk=number).revision, "wins", players[2], 6) is None
    fill_caches()
    assert leaderboard_cache.rank(number, Leaderboard.objects.get(pk=number).revision, "wins", players[2], 6) == (0, 0)


def test_an_incomplete_cache_is_not_used(cache: redis.Redis) -> None:
    players = people(4)
    played(players, 3, 2, 1)
    fill_caches()
    cache.delete(f"board:{{{reader().board}}}:wins")
    stored([ended([players[2], players[3]], [10, 5], MONDAY + timedelta(hours=1))])
    projector.project_new()
    assert ranks(reader().page(players[2], 10)) == [(1, 3), (2, 2), (2, 2), (4, 0)]
    assert cached_boards() < 4


def test_leaderboards_are_read_without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    players = people(4)
    played(players, 3, 2, 1)
    fill_caches()
    before = reader().page(players[1], 2, around_me=True)
    monkeypatch.setattr(leaderboard_cache, "shared_client", lambda: leaderboard_cache.connect("unix:///nowhere"))
    assert reader().page(players[1], 2, around_me=True) == before
    stored([ended([players[2], players[3]], [10, 5], MONDAY + timedelta(hours=1))])
    projector.project_new()
    assert ranks(reader().page(players[1], 10)) == [(1, 3), (2, 2), (2, 2), (4, 0)]


def elsewhere(work: Callable[[], object]) -> None:
    """In a thread with a connection of its own, in place of another process."""

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        threads.submit(run).result()


def run_while_filling(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """After the standings are read, before the first of them is in Redis."""
    read = leaderboard_pages.standings

    def standings(board: int) -> list[tuple[Any, ...]]:
        rows = read(board)
        elsewhere(happens)
        return rows

    monkeypatch.setattr(leaderboard_pages, "standings", standings)


def test_the_cache_includes_games_that_were_projected_while_it_was_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    players = people(7)
    played(players[:4], 3, 2, 1)
    played(players[4:], 1, 2)
    hours = iter(range(1, 1000))

    def happens() -> None:
        for _ in range(3):
            winner, loser = (players[2], players[3]) if next(hours) % 2 else (players[5], players[4])
            stored([ended([winner, loser], [50, 5], MONDAY + timedelta(hours=next(hours)))])
            projector.project_new()
            assert not finished_games.unprojected(projector.EVER, 1)
        erasure.erase(players[6], MONDAY)

    run_while_filling(monkeypatch, happens)
    projector.fill_caches(TODAY, min_players=1)
    assert cached_boards() == 4
    for metric in METRICS:
        board = reader(metric)
        rows = board.rows_below(TOP, 100)
        assert len(rows) == 6
        for row in rows:
            place = leaderboard_cache.rank(board.board, row.revision, metric, row.player, row.value)
            assert place == board.counted_rank(row)


def test_a_cache_that_was_lost_while_it_was_filled_is_not_used(
    cache: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = people(4)
    played(players, 3, 2, 1)
    run_while_filling(monkeypatch, cache.flushdb)
    leaderboard_pages.fill(reader().board)
    assert cached_boards() == 0
    assert cache.keys("board:*") == []


def test_small_leaderboards_are_not_cached() -> None:
    played(people(3), 2, 1)
    projector.fill_caches(TODAY)
    assert cached_boards() == 0


def test_a_deleted_player_leaves_the_leaderboards_and_others_keep_their_ratings() -> None:
    ann, ben, cat = people(3)
    played([ann, ben, cat], 3, 2)
    fill_caches()
    rating = reader("rating").page(ben, 10).you
    with transaction.atomic():
        Player.objects.filter(pk=ann).delete()
        leaderboard_projection.erase(ann)
    page = reader().page(ben, 10)
    assert [(entry.rank, entry.player) for entry in page.entries] == [(1, ben), (2, cat)]
    revision = Leaderboard.objects.get(pk=reader().board).revision
    assert leaderboard_cache.rank(reader().board, revision, "wins", ben, 2) == (0, 0)
    stored([ended([ann, ben], [10, 5], MONDAY - timedelta(days=9))])  # the deletion resigned from it, so it ends later
    projector.project_new()
    projector.rebuild()
    assert ann not in {entry.player for entry in reader().page(ben, 10).entries}
    mine = reader("rating").page(ben, 10).you
    assert mine
    assert rating
    assert mine.value != rating.value


def test_a_player_who_became_inactive_is_removed_from_leaderboards() -> None:
    ann, ben, cat = people(3)
    played([ann, ben, cat], 3, 2)
    Player.objects.filter(pk=ann).update(is_active=False)
    projector.remove_inactive_players()
    assert [entry.player for entry in reader().page(ann, 10).entries] == [ben, cat]


def test_tied_players_are_ordered_by_id() -> None:
    """The newest player first, in SQL as in the sorted set."""
    players = people(9)
    luck = Random(5)
    shuffled = luck.sample(players, 9)
    stored([ended(pair, [7, 7], MONDAY) for pair in zip(shuffled[::2], shuffled[1::2], strict=False)])
    projector.project_new()
    order = [entry.player for entry in reader("points").page(players[0], 10).entries]
    assert order == sorted(order, reverse=True)
