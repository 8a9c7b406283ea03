"""What has happened to players of late that their own streams tell of, read from the database: Redis may have lost it.

Sync, on Django's connection. It is asked for every few seconds, so nothing has to be found again for long.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from games.game.events import Data
from games.live import notifications
from games.matchmaking import invitations, tickets
from players.ratings import projections, rating_projection
from players.sessions.directory import directory

KINDS = frozenset(("match_found", "invited", "rating_changed"))
BACK = timedelta(minutes=5)
BACK_TO_THE_END = timedelta(hours=1)  # of a game: results may be taken in some time after it


def recent(players: Collection[UUID], now: datetime) -> list[tuple[str, bytes]]:
    """To whom, what: as it was told when it happened."""
    found = [*_matches(players, now - BACK), *_invitations(players, now - BACK)]
    changes = rating_projection.recent(players, now - BACK_TO_THE_END)
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
