"""What is shown of a player's games: figures per ruleset, ratings with history, and why each rating changed."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Max, Q, QuerySet

from players.models import Played, RatingChange
from players.ratings import ratings
from players.ratings.results import RULESETS
from players.ratings.skill import Skill
from players.sessions.directory import directory

HISTORY = 50  # changes that are shown at once; the rest is paged


def stats(player: UUID) -> list[dict[str, Any]]:
    """Figures of all finished games, rated or not; ratings of those that count."""
    figures = {
        row["ruleset"]: row
        for row in Played.objects.filter(player=player)
        .values("ruleset")
        .annotate(played=Count("*"), won=Count("rank", filter=Q(rank=1)), average=Avg("points"), best=Max("points"))
    }
    nothing = {"played": 0, "won": 0, "average": None, "best": None}
    return [
        {**nothing, **figures.get(ruleset, {}), "ruleset": ruleset, "rating": rating(player, ruleset)}
        for ruleset in RULESETS
    ]


def rating(player: UUID, ruleset: str) -> dict[str, Any]:
    skill = ratings.current([player], ruleset)[player]
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
    """The newest first."""
    return RatingChange.objects.filter(player=player, ruleset=ruleset).order_by("-ended_at", "-game")


def explained(some: Iterable[RatingChange]) -> list[dict[str, Any]]:
    """Each change with all that went into it: enough to work it out again."""
    some = list(some)
    tables: dict[UUID, list[RatingChange]] = defaultdict(list)
    for change in RatingChange.objects.filter(game__in=[change.game for change in some]).order_by("rank", "player"):
        tables[change.game].append(change)
    profiles = directory.profiles_sync({change.player for table in tables.values() for change in table})

    def why(change: RatingChange) -> dict[str, Any]:
        others = [other for other in tables[change.game] if other.player != change.player]
        return {
            **point(change),
            "model": change.model,
            "rank": change.rank,
            "before": shown(ratings.before(change)),
            "after": shown(ratings.after(change)),
            "opponents": [
                {
                    "player": profiles[other.player]._asdict(),
                    "rank": other.rank,
                    "before": shown(ratings.before(other)),
                }
                for other in others
            ],
        }

    return [why(change) for change in some]


def results(player: UUID) -> list[dict[str, Any]]:
    """Every game played, for the player to take along."""
    played = Played.objects.filter(player=player).order_by("ended_at", "game")
    members = ("game", "seat", "ruleset", "sheet", "ended_at", "rank", "points", "deserted", "counts")
    return [dict(row) for row in played.values(*members)]


def rating_changes(player: UUID) -> list[dict[str, Any]]:
    """Every change of every rating, for the player to take along."""
    changed = RatingChange.objects.filter(player=player).order_by("ended_at", "game")
    members = ("game", "ruleset", "ended_at", "rank", "mu_before", "sigma_before", "mu", "sigma", "shown", "model")
    return [dict(row) for row in changed.values(*members)]
