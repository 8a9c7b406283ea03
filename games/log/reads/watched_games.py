"""The games of given players whose logs are longer than a webhook's checkpoint, or whose ratings it lacks."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

CHANGED = """
    SELECT DISTINCT game.id, watched.webhook, coalesce(checkpoint.version, 0), coalesce(checkpoint.has_ratings, false)
      FROM unnest(%s::uuid[], %s::uuid[], %s::timestamptz[]) AS watched (webhook, player, since)
           JOIN games_seat AS seat ON seat.player = watched.player AND seat.game_id > %s
           JOIN games_game AS game ON game.id = seat.game_id
           LEFT JOIN webhooks_webhookcheckpoint AS checkpoint
                  ON checkpoint.webhook_id = watched.webhook AND checkpoint.game = game.id
     WHERE game.status <> 'open' AND (game.ended_at IS NULL OR game.ended_at >= watched.since)
       AND (game.version > coalesce(checkpoint.version, 0)
            OR (game.rated AND NOT checkpoint.has_ratings
                AND EXISTS (SELECT FROM players_ratingchange AS change
                             WHERE change.game = game.id AND change.player = watched.player)))
     ORDER BY game.id LIMIT %s
"""


class ChangedGame(NamedTuple):
    game: UUID
    webhook: UUID
    version: int  # of the checkpoint
    has_ratings: bool


def changed(watched: Sequence[tuple[UUID, UUID, datetime]], after: UUID, limit: int) -> list[ChangedGame]:
    """For rows of webhook, player and time: started games after this id, in the order of their ids, that did not end
    before the time of their row."""
    webhooks, players, times = [*map(list, zip(*watched, strict=True))] or ([], [], [])
    with connection.cursor() as cursor:
        cursor.execute(CHANGED, [webhooks, players, times, after, limit])
        return [ChangedGame(*row) for row in cursor.fetchall()]
