"""Finds the games that are due: deadlines, bots whose task was lost, open games that were never started.

A game is claimed by a lock on the row of its seed, which no append touches: the claim lasts as long as its transaction,
and ends with the process that holds it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games.log.connections import Connection


class Due(NamedTuple):
    game: UUID
    deadline: datetime


DEADLINES = "SELECT game, deadline FROM games_claim_deadlines($1, $2)"
BOTS = "SELECT game FROM games_claim_bots($1, $2)"
STILL = "SELECT id, deadline_at FROM games_game WHERE id = ANY ($1) AND deadline_at <= $2"
UNSTARTED = "SELECT id FROM games_game WHERE status = 'open' AND updated_at <= $1 ORDER BY id LIMIT $2"


async def claim_deadlines(connection: Connection, until: datetime, limit: int) -> list[Due]:
    """Claim the games whose deadlines come first, except those that another sweeper has claimed."""
    return [Due(*row) for row in await connection.fetch(DEADLINES, until, limit)]


async def claim_bots(connection: Connection, since: datetime, limit: int) -> list[UUID]:
    """Claim the games that have waited longest for bots."""
    return [row[0] for row in await connection.fetch(BOTS, since, limit)]


async def still_due(connection: Connection, games: Iterable[UUID], now: datetime) -> list[Due]:
    """Those of these games whose deadline has passed; in most games the players have answered in time."""
    return [Due(*row) for row in await connection.fetch(STILL, list(games), now)]


async def unstarted(connection: Connection, since: datetime, limit: int) -> list[UUID]:
    """Open games in which nothing has happened since then."""
    return [row[0] for row in await connection.fetch(UNSTARTED, since, limit)]
