"""Projects results of games into games played, ratings and leaderboards; each projection processes a game once.

One process at a time projects, in one transaction with the checkpoints: a process that dies leaves nothing half done,
and a game without a checkpoint is projected again.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import transaction

from players import extensions
from players.ratings import leaderboard_projection, rating_projection
from players.ratings.game_results import VOIDED, Effects, FinishedGame, ShownRatingChange
from players.ratings.models import Checkpoint, PlayedGame, RatingChange

logger = logging.getLogger(__name__)


def project_played_games(results: Sequence[FinishedGame], effects: Effects) -> None:
    """The table of games played, from which figures, ratings and leaderboards are computed. Bots have no rows."""
    PlayedGame.objects.filter(game__in=[result.game for result in results]).delete()
    PlayedGame.objects.bulk_create(row for result in results if result.status != VOIDED for row in _rows(result))
    effects.add_stale(results)


# In this order, because each may read the tables of those before it.
PROJECTIONS: dict[str, Callable[[Sequence[FinishedGame], Effects], None]] = {
    "results": project_played_games,
    "ratings": rating_projection.project,
    "boards": leaderboard_projection.project,
}


def project(batch: Sequence[FinishedGame], *, is_live: bool = True) -> None:
    """While the projection lock is held: each projection processes the games that it has not processed yet."""
    games = [result.game for result in batch]
    done = set(Checkpoint.objects.filter(game__in=games).values_list("game", "projection", "status"))
    effects = Effects(is_live=is_live)
    for name, run in PROJECTIONS.items():
        new = [result for result in batch if (result.game, name, result.status) not in done]
        run(new, effects)
        Checkpoint.objects.filter(game__in=[result.game for result in new], projection=name).delete()
        Checkpoint.objects.bulk_create(Checkpoint(game=r.game, projection=name, status=r.status) for r in new)
    if is_live:
        transaction.on_commit(lambda: notify(effects.rating_changes))


def clear() -> None:
    """While the projection lock is held: delete all projections. Readers see the old rows until the commit."""
    leaderboard_projection.clear()
    for table in (PlayedGame, RatingChange, Checkpoint):
        table.objects.all().delete()


def notify(changes: Sequence[ShownRatingChange]) -> None:
    """Send each change to the `me` streams of its player."""
    for change in changes:
        try:
            extensions.current().notify(str(change.player), rating_changed(change))
        except Exception:  # the projection is already committed
            logger.exception("player %s was not notified of the new rating", change.player)


def rating_changed(change: ShownRatingChange) -> dict[str, Any]:
    rating = {"value": change.after, "before": change.before, "provisional": change.provisional}
    return {"type": "rating_changed", "ruleset": change.ruleset, "game": str(change.game), "rating": rating}


def _rows(result: FinishedGame) -> Iterator[PlayedGame]:
    for place in result.places:
        if place.player:
            yield PlayedGame(
                game=result.game,
                player=place.player,
                seat=place.seat,
                ruleset=result.ruleset,
                sheet=result.sheet,
                ended_at=result.ended_at,
                rank=place.rank,
                points=place.points,
                deserted=place.deserted,
                counts=result.counts,
            )
