"""Projects finished games into ratings, statistics and leaderboards: those not yet projected, or all again."""

import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from uuid import UUID

from django.db import transaction

from games.log.reads import finished_games
from games.metrics.shared_counters import PROJECTION_LAG
from players.database.transactions import CACHE_LOCK, try_lock, wait_for_lock
from players.ratings import leaderboard_pages, leaderboard_projection, projections
from players.ratings.game_results import VOIDED, FinishedGame

BATCH = 100  # games to a transaction
FILL_S = 600.0  # in which Redis takes a board, while the database hears nothing
EVER = datetime(1970, 1, 1, tzinfo=UTC)


def project_new(since: datetime = EVER) -> None:
    """Batch by batch; returns at once while another process projects, since that one continues until none is left."""
    unreadable: set[UUID] = set()
    while True:
        with try_lock() as is_ours:
            games = finished_games.unprojected(since, BATCH, unreadable) if is_ours else []
            results = finished_games.results(games)
            projections.project(results)
        note_lag(results)
        if not games:
            return
        unreadable |= set(games) - {result.game for result in results}


def note_lag(results: Iterable[FinishedGame]) -> None:
    """Observe how late these games are projected, without voided games: those are projected a second time."""
    for result in results:
        if result.status != VOIDED:
            PROJECTION_LAG.count(max(0.0, time.time() - result.ended_at.timestamp()))


def fill_caches(today: date, min_players: int = leaderboard_pages.CACHED_FROM) -> None:
    """One process at a time fills leaderboard caches, under a lock of its own: games are projected meanwhile."""
    for board in leaderboard_pages.uncached(today, min_players):
        with try_lock(CACHE_LOCK, FILL_S) as is_ours:
            if is_ours:
                leaderboard_pages.fill(board)


def remove_inactive_players() -> None:
    """Take deleted and barred players off the leaderboards that were not updated when it happened."""
    for player in leaderboard_projection.deleted_players():
        with transaction.atomic():
            leaderboard_projection.erase(player)


def rebuild(progress: Callable[[range], Iterable[int]] = iter) -> int:
    """Drop all projections and project every game again in one transaction; readers see the old state until it ends."""
    with transaction.atomic():
        wait_for_lock()
        projections.clear()
        games = finished_games.all_ended()
        for first in progress(range(0, len(games), BATCH)):
            projections.project(finished_games.results(games[first : first + BATCH]), is_live=False)
    return len(games)
