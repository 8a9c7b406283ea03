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


def stats(player: UUID, viewer: UUID | None = None) -> list[dict[str, Any]]:
    """Figures of all finished games, rated or not; ratings of rated games. Without a viewer (for staff), private games
    are named, too."""
    sheets = figures_of_sheets(player)
    return [
        {
            "ruleset": ruleset,
            **total([sheet for sheet in sheets if sheet["ruleset"] == ruleset]),
            "sheets": [sheet for sheet in sheets if sheet["ruleset"] == ruleset],
            "rating": rating(player, ruleset, viewer),
        }
        for ruleset in extensions.current().rulesets
    ]


def figures_of_sheets(player: UUID) -> list[dict[str, Any]]:
    """Of each sheet that the player has finished a game on; the most played first."""
    rows = PlayedGame.objects.filter(player=player).values("ruleset", "sheet")
    figures = rows.annotate(
        played=Count("*"), won=Count("rank", filter=Q(rank=1)), average=Avg("points"), best=Max("points")
    )
    return [dict(row) for row in figures.order_by("-played", "sheet")]


def total(sheets: list[dict[str, Any]]) -> dict[str, Any]:
    played = sum(sheet["played"] for sheet in sheets)
    points = sum(sheet["average"] * sheet["played"] for sheet in sheets)
    return {
        "played": played,
        "won": sum(sheet["won"] for sheet in sheets),
        "average": points / played if played else None,
        "best": max((sheet["best"] for sheet in sheets), default=None),
    }


def rating(player: UUID, ruleset: str, viewer: UUID | None) -> dict[str, Any]:
    skill, newest = rating_projection.current([player], ruleset)[player], list(changes(player, ruleset)[:HISTORY])
    hidden = hidden_games(newest, viewer)
    return {**shown(skill), "history": [point(change, is_hidden=change.game in hidden) for change in newest]}


def hidden_games(listed: Iterable[RatingChange], viewer: UUID | None) -> set[UUID]:
    """The games of these changes that the viewer may not learn of."""
    games = [change.game for change in listed]
    return extensions.current().hidden_games(games, viewer) if games and viewer else set()


def shown(skill: Skill) -> dict[str, Any]:
    return {
        "value": skill.shown,
        "mu": skill.mu,
        "sigma": skill.sigma,
        "games": skill.games,
        "provisional": skill.is_provisional,
    }


def point(change: RatingChange, *, is_hidden: bool) -> dict[str, Any]:
    """Of a hidden game only the day is told: the exact time is the same in the histories of all of its players."""
    day = change.ended_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        "game": None if is_hidden else change.game,
        "at": day if is_hidden else change.ended_at,
        "value": change.shown,
    }


def changes(player: UUID, ruleset: str) -> QuerySet[RatingChange]:
    """Newest first."""
    return RatingChange.objects.filter(player=player, ruleset=ruleset).order_by("-ended_at", "-game")


def explained(listed: Iterable[RatingChange], viewer: UUID) -> list[dict[str, Any]]:
    """Each change with all of its inputs, so that a client can compute it again; of games that are hidden from the
    viewer neither the game nor the opponents."""
    listed = list(listed)
    hidden = hidden_games(listed, viewer)
    by_game: dict[UUID, list[RatingChange]] = defaultdict(list)
    for change in RatingChange.objects.filter(game__in=[change.game for change in listed]).order_by("rank", "player"):
        by_game[change.game].append(change)
    profiles = directory.profiles_sync({change.player for game in by_game.values() for change in game})

    def explain(change: RatingChange) -> dict[str, Any]:
        is_hidden = change.game in hidden
        others = [other for other in by_game[change.game] if other.player != change.player and not is_hidden]
        return {
            **point(change, is_hidden=is_hidden),
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
