"""Who sends a request, and how a player is shown to others: values without secrets, and the queries that read them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from psycopg import AsyncConnection

# The columns of the first two are the fields of `Identity` and `Profile`, in their order.
IDENTITY = """
SELECT player.id, session.id, player.email IS NULL AND player.bot_owner_id IS NULL, player.is_staff,
       GREATEST(player.banned_until, owner.banned_until), session.scopes, session.expires_at,
       player.bot_owner_id IS NOT NULL, player.locale
  FROM players_session AS session
  JOIN players_player AS player ON player.id = session.player_id
  LEFT JOIN players_player AS owner ON owner.id = player.bot_owner_id
 WHERE session.token_hash = %s AND session.revoked_at IS NULL AND player.is_active
"""
PROFILES = """
SELECT id, name, email IS NULL AND erased_at IS NULL AND bot_owner_id IS NULL, bot_owner_id IS NOT NULL
  FROM players_player WHERE id = ANY (%s)
"""
REVOKED = """
SELECT open_session FROM unnest(%s::uuid[]) AS open_session
 WHERE NOT EXISTS (SELECT FROM players_session WHERE id = open_session AND revoked_at IS NULL)
"""
BANNED = """
SELECT session.id
  FROM players_session AS session
  JOIN players_player AS player ON player.id = session.player_id
  LEFT JOIN players_player AS owner ON owner.id = player.bot_owner_id
 WHERE session.id = ANY (%s::uuid[]) AND GREATEST(player.banned_until, owner.banned_until) > now()
"""

Database = AsyncConnection[Any]


class Identity(NamedTuple):
    """The player and the session of a token."""

    player: UUID
    session: UUID
    is_guest: bool
    is_staff: bool
    banned_until: datetime | None = None
    scopes: Sequence[str] | None = None  # of a personal access token; None: a device that is signed in
    expires_at: datetime | None = None
    is_bot: bool = False
    locale: str = ""  # the language that the player has set


class Profile(NamedTuple):
    """What every player may see of a player."""

    id: UUID
    name: str
    is_guest: bool
    is_bot: bool = False


def deleted_profile(player: UUID) -> Profile:
    """The profile of a deleted player."""
    return Profile(player, "Player", is_guest=False)


async def read_identity(database: Database, digest: bytes) -> Identity | None:
    row = await (await database.execute(IDENTITY, [digest])).fetchone()
    return Identity(*row) if row else None


async def read_profiles(database: Database, players: Iterable[UUID]) -> list[Profile]:
    return [Profile(*row) for row in await (await database.execute(PROFILES, [list(players)])).fetchall()]


async def revoked_sessions(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those of the given sessions that are revoked or deleted."""
    return [row[0] for row in await (await database.execute(REVOKED, [list(sessions)])).fetchall()]


async def banned_sessions(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those of the given sessions whose players are banned."""
    return [row[0] for row in await (await database.execute(BANNED, [list(sessions)])).fetchall()]


def read_identity_sync(digest: bytes) -> Identity | None:
    with connection.cursor() as cursor:
        cursor.execute(IDENTITY, [digest])
        row = cursor.fetchone()
    return Identity(*row) if row else None


def read_profiles_sync(players: Iterable[UUID]) -> list[Profile]:
    with connection.cursor() as cursor:
        cursor.execute(PROFILES, [list(players)])
        return [Profile(*row) for row in cursor.fetchall()]


def reads_committed_rows() -> bool:
    """Inside a transaction this thread would read its own uncommitted changes."""
    return not connection.in_atomic_block
