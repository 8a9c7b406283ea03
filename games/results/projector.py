"""Feeds finished games to what is shown of their players: what is not taken in yet, or all of it anew."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from games.log import finished_games
from players.database.advisory_lock import FILLING, alone, stand_alone
from players.ratings import leaderboard_pages, leaderboards, projections

BATCH = 100  # games to a transaction


def take_in(since: datetime) -> None:
    """Batch by batch; ends at once where another process is at it, for that goes on until nothing is left."""
    unreadable: set[UUID] = set()
    while True:
        with alone() as is_ours:
            games = finished_games.untaken(since, BATCH, unreadable) if is_ours else []
            results = finished_games.results(games)
            projections.project(results)
        if not games:
            return
        unreadable |= set(games) - {result.game for result in results}


def warm(today: date, worth: int = leaderboard_pages.WORTH_CACHING) -> None:
    """One at a time, for it takes a while; games are taken in all the same."""
    for board in leaderboard_pages.cold(today, worth):
        with alone(FILLING) as is_ours:
            if is_ours:
                leaderboard_pages.fill(board)


def lay_ghosts() -> None:
    """Players who were deleted or barred, but of whom the boards were not told."""
    for player in leaderboards.ghosts():
        with transaction.atomic():
            leaderboards.erase(player)


def rebuild(progress: Callable[[range], Iterable[int]] = iter) -> int:
    """Drops everything and takes all games in again, in one transaction: until it ends, everybody reads what was."""
    with transaction.atomic():
        stand_alone()
        projections.clear()
        games = finished_games.in_order()
        for first in progress(range(0, len(games), BATCH)):
            projections.project(finished_games.results(games[first : first + BATCH]), is_told=False)
    return len(games)
