"""Notifications of the last minutes, read from the database: their messages through Redis may have been lost."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from games.game.events import Data
from games.live import notifications
from games.matchmaking import invitations, tickets
from players.ratings import projections, rating_projection
from players.sessions.directory import directory

TYPES = frozenset(("match_found", "invited", "rating_changed"))
RECENT = timedelta(minutes=5)
SINCE_GAME_END = timedelta(hours=1)  # ratings may be updated some time after a game ended


def recent(players: Collection[UUID], now: datetime) -> list[tuple[str, bytes]]:
    """Player and notification, encoded as it was when it happened. Sync, on Django's connection."""
    found = [*_matches(players, now - RECENT), *_invitations(players, now - RECENT)]
    changes = rating_projection.recent(players, now - SINCE_GAME_END)
    found += [(str(change.player), projections.rating_changed(change)) for change in changes]
    return [(player, msgspec.json.encode(message)) for player, message in found]


def _matches(players: Collection[UUID], since: datetime) -> Iterator[tuple[str, Data]]:
    for player, ticket, game in tickets.recently_matched(players, since):
        yield player, notifications.match_found(ticket, game)


def _invitations(players: Collection[UUID], since: datetime) -> Iterator[tuple[str, Data]]:
    rows = invitations.recent(players, since)
    profiles = directory.profiles_sync({row.by for row in rows})
    for row in rows:
        yield str(row.player), notifications.invited(str(row.id), str(row.game), profiles[row.by]._asdict())
