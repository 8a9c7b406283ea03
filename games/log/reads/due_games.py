"""Finds the games that are due: deadlines, bots whose task was lost, open games that were never started.

A game is claimed by a lease in the row of its seed, which no append touches: it ends by itself, so that a process that
is frozen or dead holds no game for longer (`leases.sql`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games.log.connections import Connection


class Due(NamedTuple):
    game: UUID
    deadline: datetime


class Claimed(NamedTuple):
    game: UUID
    ready_at: datetime  # when its deadline has passed, and the lease of the sweeper that claimed it before


DEADLINES = """
    SELECT game, greatest(deadline, not_before) AS ready_at FROM games_claim_deadlines_v2($1, $2) ORDER BY ready_at
"""
BOTS = "SELECT game FROM games_claim_bots_v2($1, $2)"
STILL = "SELECT id, deadline_at FROM games_game WHERE id = ANY ($1) AND deadline_at <= $2"
UNSTARTED = "SELECT id FROM games_game WHERE status = 'open' AND updated_at <= $1 ORDER BY id LIMIT $2"


async def claim_deadlines(connection: Connection, until: datetime, limit: int) -> list[Claimed]:
    """Claim the games whose deadlines come first, except those that another sweeper has claimed for longer."""
    return [Claimed(*row) for row in await connection.fetch(DEADLINES, until, limit)]


async def claim_bots(connection: Connection, since: datetime, limit: int) -> list[UUID]:
    """Claim the games that have waited longest for bots, for two seconds."""
    return [row[0] for row in await connection.fetch(BOTS, since, limit)]


async def still_due(connection: Connection, games: Iterable[UUID], now: datetime) -> list[Due]:
    """Those of these games whose deadline has passed; in most games the players have answered in time."""
    return [Due(*row) for row in await connection.fetch(STILL, list(games), now)]


async def unstarted(connection: Connection, since: datetime, limit: int) -> list[UUID]:
    """Open games in which nothing has happened since then."""
    return [row[0] for row in await connection.fetch(UNSTARTED, since, limit)]
