"""The stored projections in a form that can be compared with another run or with the reference."""

from collections import defaultdict
from typing import Any

from players.models import Checkpoint, LeaderboardStanding, PlayedGame, RatingChange
from players.ratings import rating_projection
from tests.results.reference import ReferenceResults


def tables() -> dict[str, list[Any]]:
    """Every row of every table."""
    return {
        "played": sorted(PlayedGame.objects.values_list(), key=str),
        "changes": sorted(RatingChange.objects.values_list(), key=str),
        "standings": sorted(
            LeaderboardStanding.objects.values_list(
                "board__ruleset",
                "board__sheet",
                "board__period",
                "board__start",
                "player",
                "games",
                "wins",
                "points",
                "best_score",
                "rating",
            ),
            key=str,
        ),
        "checkpoints": sorted(Checkpoint.objects.values_list(), key=str),
    }


def stored_results() -> ReferenceResults:
    skills = {
        (str(player), ruleset): tuple(rating_projection.current([player], ruleset)[player])
        for player, ruleset in RatingChange.objects.values_list("player", "ruleset").distinct()
    }
    history = defaultdict(list)
    for change in RatingChange.objects.order_by("ended_at", "game"):
        history[str(change.player), change.ruleset].append((str(change.game), change.shown))
    statistics: dict[tuple[str, str], list[int]] = {}
    for row in PlayedGame.objects.all():
        played, won, points, best = statistics.get((str(row.player), row.ruleset), [0, 0, 0, -1000])
        numbers = [played + 1, won + (row.rank == 1), points + row.points, max(best, row.points)]
        statistics[str(row.player), row.ruleset] = numbers
    boards: dict[tuple[str, str, str, str], dict[str, list[int]]] = defaultdict(dict)
    for standing in LeaderboardStanding.objects.select_related("board"):
        board = standing.board
        boards[board.ruleset, board.sheet, board.period, board.start.isoformat()][str(standing.player)] = [
            standing.games,
            standing.wins,
            standing.points,
            standing.best_score,
            standing.rating,
        ]
    return ReferenceResults(skills, history, statistics, boards)  # type: ignore[arg-type]
