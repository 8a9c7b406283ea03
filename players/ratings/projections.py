"""Takes results of games into what is shown of players: games played, ratings, boards; each game once per projection.

Whoever projects does so alone and in one transaction with the checkpoints: a process that dies leaves nothing half
done, and what is in no checkpoint is fed again.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import transaction

from players.models import Checkpoint, Played, RatingChange
from players.ratings import leaderboards, ratings
from players.ratings.results import VOIDED, Effects, Moved, Result, Touched
from players.social.notifications import tell_player

logger = logging.getLogger(__name__)


def results(news: Sequence[Result], effects: Effects) -> None:
    """The table of games played, on which figures, ratings and boards rest. Bots have no figures."""
    Played.objects.filter(game__in=[result.game for result in news]).delete()
    Played.objects.bulk_create(row for result in news if result.status != VOIDED for row in _rows(result))
    effects.touched |= {Touched(r.ruleset, place.player, r.day) for r in news for place in r.places if place.player}


# In this order: each may rest on those before it.
PROJECTIONS: dict[str, Callable[[Sequence[Result], Effects], None]] = {
    "results": results,
    "ratings": ratings.project,
    "boards": leaderboards.project,
}


def project(batch: Sequence[Result], *, is_told: bool = True) -> None:
    """Inside `alone`: each projection takes in those that it has not yet."""
    games = [result.game for result in batch]
    taken = set(Checkpoint.objects.filter(game__in=games).values_list("game", "projection", "status"))
    effects = Effects(is_told=is_told)
    for name, take_in in PROJECTIONS.items():
        news = [result for result in batch if (result.game, name, result.status) not in taken]
        take_in(news, effects)
        Checkpoint.objects.filter(game__in=[result.game for result in news], projection=name).delete()
        Checkpoint.objects.bulk_create(Checkpoint(game=r.game, projection=name, status=r.status) for r in news)
    if is_told:
        transaction.on_commit(lambda: tell(effects.moved))


def clear() -> None:
    """Inside `alone`: as if no game had ever ended. Readers see what was until this is committed."""
    leaderboards.clear()
    for table in (Played, RatingChange, Checkpoint):
        table.objects.all().delete()


def tell(moved: Sequence[Moved]) -> None:
    """On the `me` streams of those whose ratings have just changed."""
    for change in moved:
        try:
            tell_player(str(change.player), rating_changed(change))
        except Exception:  # what is stored is stored
            logger.exception("player %s was not told of the rating", change.player)


def rating_changed(change: Moved) -> dict[str, Any]:
    rating = {"value": change.after, "before": change.before, "provisional": change.provisional}
    return {"type": "rating_changed", "ruleset": change.ruleset, "game": str(change.game), "rating": rating}


def _rows(result: Result) -> Iterator[Played]:
    for place in result.places:
        if place.player:
            yield Played(
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
