"""A player's statistics per ruleset, ratings with their history, and the inputs of each rating change."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Max, Q, QuerySet

from players import extensions
from players.ratings import rating_projection
from players.ratings.models import PlayedGame, RatingChange
from players.ratings.skill import Skill
from players.sessions.directory import directory

HISTORY = 50  # changes in the statistics; the others are in the list of changes


def stats(player: UUID) -> list[dict[str, Any]]:
    """Figures of all finished games, rated or not; ratings of rated games."""
    figures = {
        row["ruleset"]: row
        for row in PlayedGame.objects.filter(player=player)
        .values("ruleset")
        .annotate(played=Count("*"), won=Count("rank", filter=Q(rank=1)), average=Avg("points"), best=Max("points"))
    }
    none_played = {"played": 0, "won": 0, "average": None, "best": None}
    return [
        {**none_played, **figures.get(ruleset, {}), "ruleset": ruleset, "rating": rating(player, ruleset)}
        for ruleset in extensions.current().rulesets
    ]


def rating(player: UUID, ruleset: str) -> dict[str, Any]:
    skill = rating_projection.current([player], ruleset)[player]
    return {**shown(skill), "history": [point(change) for change in changes(player, ruleset)[:HISTORY]]}


def shown(skill: Skill) -> dict[str, Any]:
    return {
        "value": skill.shown,
        "mu": skill.mu,
        "sigma": skill.sigma,
        "games": skill.games,
        "provisional": skill.is_provisional,
    }


def point(change: RatingChange) -> dict[str, Any]:
    return {"game": change.game, "at": change.ended_at, "value": change.shown}


def changes(player: UUID, ruleset: str) -> QuerySet[RatingChange]:
    """Newest first."""
    return RatingChange.objects.filter(player=player, ruleset=ruleset).order_by("-ended_at", "-game")


def explained(listed: Iterable[RatingChange]) -> list[dict[str, Any]]:
    """Each change with all of its inputs, so that a client can compute it again."""
    listed = list(listed)
    by_game: dict[UUID, list[RatingChange]] = defaultdict(list)
    for change in RatingChange.objects.filter(game__in=[change.game for change in listed]).order_by("rank", "player"):
        by_game[change.game].append(change)
    profiles = directory.profiles_sync({change.player for game in by_game.values() for change in game})

    def explain(change: RatingChange) -> dict[str, Any]:
        others = [other for other in by_game[change.game] if other.player != change.player]
        return {
            **point(change),
            "model": change.model,
            "rank": change.rank,
            "before": shown(rating_projection.before(change)),
            "after": shown(rating_projection.after(change)),
            "opponents": [
                {
                    "player": profiles[other.player]._asdict(),
                    "rank": other.rank,
                    "before": shown(rating_projection.before(other)),
                }
                for other in others
            ],
        }

    return [explain(change) for change in listed]


def export_results(player: UUID) -> list[dict[str, Any]]:
    """Every game played, for the data export."""
    played = PlayedGame.objects.filter(player=player).order_by("ended_at", "game")
    members = ("game", "seat", "ruleset", "sheet", "ended_at", "rank", "points", "deserted", "counts")
    return [dict(row) for row in played.values(*members)]


def export_rating_changes(player: UUID) -> list[dict[str, Any]]:
    """Every change of every rating, for the data export."""
    changed = RatingChange.objects.filter(player=player).order_by("ended_at", "game")
    members = ("game", "ruleset", "ended_at", "rank", "mu_before", "sigma_before", "mu", "sigma", "shown", "model")
    return [dict(row) for row in changed.values(*members)]
