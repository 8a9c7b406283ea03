"""The timeline of a player: games, ratings, devices, reports and staff actions in one list, newest first."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count
from django.urls import reverse

from players.admin.texts import label, text
from players.models import PlayedGame, Player, RatingChange, Report, Session

MAX_ENTRIES = 40
MAX_GAMES = 200  # in which opponents are counted
MAX_OPPONENTS = 10


class TimelineEntry(NamedTuple):
    at: datetime
    kind: str
    words: str
    url: str = ""


class Opponent(NamedTuple):
    player: Player
    games: int


def timeline(
    player: UUID, played: Iterable[PlayedGame], reports: Iterable[Report], actions: Iterable[Any], limit: int
) -> list[TimelineEntry]:
    """From rows that the page has, and from sessions and ratings; `limit` is of each source."""
    sessions = Session.objects.filter(player=player, scopes=None).order_by("-pk")[:limit]
    entries = [*_games(player, list(played)), *_sessions(sessions), *_reports(reports), *_actions(actions)]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:MAX_ENTRIES]


def opponents(player: UUID) -> list[Opponent]:
    """Whom the player met most often in their newest games."""
    games = PlayedGame.objects.filter(player=player).order_by("-ended_at").values_list("game", flat=True)[:MAX_GAMES]
    met = PlayedGame.objects.filter(game__in=list(games)).exclude(player=player).values_list("player")
    counts = list(met.annotate(number=Count("game")).order_by("-number", "player")[:MAX_OPPONENTS])
    people = Player.objects.in_bulk([other for other, _ in counts])
    return [Opponent(people[other], number) for other, number in counts if other in people]


def _games(player: UUID, played: list[PlayedGame]) -> Iterator[TimelineEntry]:
    changes = RatingChange.objects.filter(player=player, game__in=[game.game for game in played])
    ratings = dict(changes.values_list("game", "shown"))
    for game in played:
        words = text("timeline.game_words", ruleset=label(game.ruleset, "ruleset"), rank=game.rank, points=game.points)
        rating = text("timeline.rating_words", rating=ratings[game.game]) if game.game in ratings else ""
        url = reverse("admin:games_game_change", args=[game.game])
        yield TimelineEntry(game.ended_at, text("timeline.game"), f"{words} {rating}".strip(), url)


def _sessions(sessions: Iterable[Session]) -> Iterator[TimelineEntry]:
    for session in sessions:
        device = session.device or text("device.unnamed")
        yield TimelineEntry(session.created_at, text("timeline.logged_in"), device)
        if session.revoked_at:
            yield TimelineEntry(session.revoked_at, text("timeline.logged_out"), device)


def _reports(reports: Iterable[Report]) -> Iterator[TimelineEntry]:
    for report in reports:
        words = f"{label(report.reason, 'complaint')}: {report.text}".removesuffix(": ")
        url = reverse("admin:players_report_change", args=[report.pk])
        yield TimelineEntry(report.created_at, text("timeline.reported"), words, url)


def _actions(actions: Iterable[Any]) -> Iterator[TimelineEntry]:
    """As `audit_log.staff_activity` gives them, labelled."""
    for action in actions:
        yield TimelineEntry(action.at, action.what, action.reason)
