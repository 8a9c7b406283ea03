"""Which games somebody has to see to: deadlines, bots that nobody ran, tables that nobody came to. Decides nothing.

A game is claimed by locking the row of its seed, which no append touches: the claim lasts as long as its transaction,
and ends with the process that holds it, however that ends.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection

from games.log.prepared_query import fetch


class Due(NamedTuple):
    game: UUID
    deadline: datetime


DEADLINES = b"""
    SELECT id, deadline_at
      FROM games_game JOIN games_seed ON game_id = id
     WHERE deadline_at <= $1
     ORDER BY deadline_at
     LIMIT $2
       FOR UPDATE OF games_seed SKIP LOCKED
"""
BOTS = b"""
    SELECT id
      FROM games_game JOIN games_seed ON game_id = id
     WHERE bots_at <= $1
     ORDER BY bots_at
     LIMIT $2
       FOR UPDATE OF games_seed SKIP LOCKED
"""
STILL = b"SELECT id, deadline_at FROM games_game WHERE id = ANY ($1) AND deadline_at <= $2"
UNSTARTED = b"SELECT id FROM games_game WHERE status = 'open' AND updated_at <= $1 ORDER BY id LIMIT $2"


async def claim_deadlines(connection: AsyncConnection[Any], until: datetime, limit: int) -> list[Due]:
    """The games whose time runs out first; those that another sweeper has claimed are passed over."""
    return [Due(*row) for row in await fetch(connection, DEADLINES, (until, limit))]


async def claim_bots(connection: AsyncConnection[Any], since: datetime, limit: int) -> list[UUID]:
    """The games that have waited for bots for the longest."""
    return [row[0] for row in await fetch(connection, BOTS, (since, limit))]


async def still_due(connection: AsyncConnection[Any], games: Iterable[UUID], now: datetime) -> list[Due]:
    """Those of them whose time has run out by now: in most, somebody has answered meanwhile."""
    return [Due(*row) for row in await fetch(connection, STILL, (list(games), now))]


async def unstarted(connection: AsyncConnection[Any], since: datetime, limit: int) -> list[UUID]:
    """Open games in which nothing has happened for long."""
    return [row[0] for row in await fetch(connection, UNSTARTED, (since, limit))]
