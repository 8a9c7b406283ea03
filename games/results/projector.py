"""Feeds finished games to what is shown of their players: what is not taken in yet, or all of it anew."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from games.log import finished_games
from players.database.advisory_lock import CACHE_LOCK, try_lock, wait_for_lock
from players.ratings import leaderboard_pages, leaderboard_projection, projections

BATCH = 100  # games to a transaction


def take_in(since: datetime) -> None:
    """Batch by batch; ends at once where another process is at it, for that goes on until nothing is left."""
    unreadable: set[UUID] = set()
    while True:
        with try_lock() as is_ours:
            games = finished_games.untaken(since, BATCH, unreadable) if is_ours else []
            results = finished_games.results(games)
            projections.project(results)
        if not games:
            return
        unreadable |= set(games) - {result.game for result in results}


def warm(today: date, worth: int = leaderboard_pages.CACHED_FROM) -> None:
    """One at a time, for it takes a while; games are taken in all the same."""
    for board in leaderboard_pages.uncached(today, worth):
        with try_lock(CACHE_LOCK) as is_ours:
            if is_ours:
                leaderboard_pages.fill(board)


def lay_ghosts() -> None:
    """Players who were deleted or barred, but of whom the boards were not told."""
    for player in leaderboard_projection.deleted_players():
        with transaction.atomic():
            leaderboard_projection.erase(player)


def rebuild(progress: Callable[[range], Iterable[int]] = iter) -> int:
    """Drops everything and takes all games in again, in one transaction: until it ends, everybody reads what was."""
    with transaction.atomic():
        wait_for_lock()
        projections.clear()
        games = finished_games.in_order()
        for first in progress(range(0, len(games), BATCH)):
            projections.project(finished_games.results(games[first : first + BATCH]), is_live=False)
    return len(games)
