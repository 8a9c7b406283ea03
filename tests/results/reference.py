"""A reference implementation of ratings, statistics and leaderboards on exported logs, independent of the service."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

from openskill.models import BradleyTerryPart

MODEL = BradleyTerryPart(window_size=16)
Log = list[dict[str, Any]]


class ExportedGame(NamedTuple):
    at: str
    game: str
    ruleset: str
    sheet: str
    rated: bool
    seats: list[dict[str, Any]]  # player or None, rank, points


class ReferenceResults(NamedTuple):
    skills: dict[tuple[str, str], tuple[float, float, int]]  # (player, ruleset) → mu, sigma, games
    history: dict[tuple[str, str], list[tuple[str, int]]]  # … → (game, shown) in order
    statistics: dict[tuple[str, str], list[int]]  # … → played, won, points, best
    boards: dict[
        tuple[str, str, str, str], dict[str, list[int]]
    ]  # (ruleset, sheet or "", period, start) → player → five numbers


def read(log: Log) -> ExportedGame | None:
    """None: the game was voided or has not ended."""
    seated: dict[int, str | None] = {}
    created = log[0]["data"]
    found = None
    for event in log:
        data = event["data"]
        match event["type"]:
            case "seat_taken":
                seated[data["seat"]] = data["player"]
            case "game_started":
                seated = {new: seated[old] for new, old in enumerate(data["seats"])}
            case "game_ended":
                seats = [
                    {"player": seated[entry["seat"]], **entry}
                    for entry in sorted(data["ranking"], key=lambda entry: (entry["rank"], entry["seat"]))
                ]
                found = ExportedGame(
                    event["at"], event["game"], created["ruleset"], created["sheet"], created["rated"], seats
                )
            case "game_voided":
                return None
    return found


def compute(logs: Iterable[Log]) -> ReferenceResults:
    games = sorted(game for game in map(read, logs) if game)
    result = ReferenceResults({}, defaultdict(list), {}, defaultdict(dict))
    for game in games:
        for seat in game.seats:
            if seat["player"]:
                _add_statistics(result, (seat["player"], game.ruleset), seat)
        if game.rated and all(seat["player"] for seat in game.seats):
            _rate(result, game)
            _rank(result, game)
    return result


def _add_statistics(result: ReferenceResults, key: tuple[str, str], seat: dict[str, Any]) -> None:
    played, won, points, best = result.statistics.get(key, [0, 0, 0, -1000])
    result.statistics[key] = [played + 1, won + (seat["rank"] == 1), points + seat["points"], max(best, seat["points"])]


def _rate(result: ReferenceResults, game: ExportedGame) -> None:
    keys = [(seat["player"], game.ruleset) for seat in game.seats]
    before = [result.skills.get(key, (25.0, 25.0 / 3.0, 0)) for key in keys]
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma, _ in before]
    after = MODEL.rate(teams, ranks=[float(seat["rank"]) for seat in game.seats])
    for key, (new,), (_, _, games) in zip(keys, after, before, strict=True):
        result.skills[key] = (new.mu, new.sigma, games + 1)
        result.history[key].append((game.game, shown(result.skills[key])))


def shown(skill: tuple[float, float, int]) -> int:
    return round(1000 + 40 * (skill[0] - 3 * skill[1]))


def _rank(result: ReferenceResults, game: ExportedGame) -> None:
    day = datetime.fromisoformat(game.at).date()
    for seat, sheet in product(game.seats, ("", game.sheet)):
        for period, start in starts(day).items():
            board = result.boards[game.ruleset, sheet, period, start.isoformat()]
            games, wins, points, best, _ = board.get(seat["player"], [0, 0, 0, -1000, 0])
            rating = 0 if sheet else shown(result.skills[seat["player"], game.ruleset])
            board[seat["player"]] = [
                games + 1,
                wins + (seat["rank"] == 1),
                points + seat["points"],
                max(best, seat["points"]),
                rating,
            ]


def starts(day: date) -> dict[str, date]:
    week = day - timedelta(days=day.isocalendar().weekday - 1)
    return {"day": day, "week": week, "month": date(day.year, day.month, 1), "all": date(1970, 1, 1)}
