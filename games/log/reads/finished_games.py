"""The results of games that are over, read from the few types of events that they need."""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection

from games.game.aggregate import FINISHED, PRESENT, VOIDED, GameState, fold
from games.game.event_types import FACTS
from games.game.events import Event, moment_of
from games.log.archive import places
from games.log.archive.archived_logs import archive_reader
from players.database.ids import uuid_of
from players.ratings.game_results import FinishedGame, Place
from players.ratings.projections import PROJECTIONS

NEEDED_TYPES = [name for name, kind in FACTS.items() if kind.needed_for_results]
# A checkpoint stores the status that was projected; a game that was voided since is projected again.
UNPROJECTED = """
    SELECT id FROM games_game AS game
     WHERE status IN ('finished', 'voided') AND ended_at >= %s AND id <> ALL (%s)
       AND (SELECT count(*) FROM players_checkpoint AS taken
             WHERE taken.game = game.id AND taken.status = game.status AND projection = ANY (%s)) < %s
     ORDER BY ended_at, id LIMIT %s
"""
IN_ORDER = """
    SELECT game_id, at FROM games_event WHERE type = 'game_ended'
     UNION SELECT game_id, end_at FROM games_archivedgame WHERE end_at IS NOT NULL
     ORDER BY 2, 1
"""
LOGS = """
    SELECT game_id, version, type, v, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), data
      FROM games_event AS event WHERE game_id = ANY (%s) AND type = ANY (%s)
       AND NOT EXISTS (SELECT FROM games_archivedgame AS archived
                        WHERE archived.game_id = event.game_id AND archived.version >= event.version)
     ORDER BY game_id, version
"""

logger = logging.getLogger(__name__)


def unprojected(since: datetime, limit: int, apart_from: Iterable[UUID] = ()) -> list[UUID]:
    """Games that ended or were voided since then and are not in every projection yet."""
    names = list(PROJECTIONS)
    return _ids(UNPROJECTED, [since, list(apart_from), names, len(names), limit])


def all_ended() -> list[UUID]:
    """All games that have ended, in the order of their ends."""
    return _ids(IN_ORDER, [])


def results(games: list[UUID]) -> list[FinishedGame]:
    """The results of these games. A game that cannot be read is left out and logged."""
    found = []
    for log in _logs(games):
        try:
            found.append(_result(fold(None, log), log))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            logger.exception("game %s cannot be read and is not counted: see verify_log", log[0].game)
    return found


def _result(game: GameState, events: list[Event]) -> FinishedGame:
    """A game that was voided before it ended has no places."""
    ended = [moment_of(event.at) for event in events if event.type == "game_ended"]
    ranking = game.result.ranking if game.result and ended else ()
    return FinishedGame(
        game=uuid_of(game.id),
        ruleset=game.setup.ruleset,
        sheet=game.setup.sheet,
        rated=game.setup.rated,
        status=VOIDED if game.status == VOIDED else FINISHED,
        reason=game.result.reason if game.result else "",
        ended_at=ended[0] if ended else moment_of(events[-1].at),
        places=tuple(_place(game, entry) for entry in ranking),
    )


def _place(game: GameState, entry: Any) -> Place:
    participant = game.participants[entry["seat"]]
    player = uuid_of(participant.player) if participant.player else None
    return Place(player, participant.seat, entry["rank"], entry["points"], participant.state != PRESENT)


def _logs(games: list[UUID]) -> Iterator[list[Event]]:
    """The needed events of each game, in the order of the ids; what is archived is read from there."""
    archived = {str(place.game): place for place in places.places(games)}
    stored = {game: list(events) for game, events in groupby(_events(games), lambda event: event.game)}
    for game in sorted({*archived, *stored}):
        before = archive_reader.log(archived[game]) if game in archived else []
        yield [*(event for event in before if event.type in NEEDED_TYPES), *stored.get(game, [])]


def _events(games: list[UUID]) -> Iterator[Event]:
    """Without their hashes: `games.log.audit` checks the chain."""
    with connection.cursor() as cursor:
        cursor.execute(LOGS, [games, NEEDED_TYPES])
        for game, version, type_, v, at, data in cursor.fetchall():
            yield Event(str(game), version, type_, v, at, msgspec.json.decode(data), "", "")


def _ids(query: str, parameters: list[Any]) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return [row[0] for row in cursor.fetchall()]
