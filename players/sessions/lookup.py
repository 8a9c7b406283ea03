"""The queries of the directory: identities, profiles and revoked sessions, from an event loop or from a thread."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import AsyncConnection

from players.sessions.identity import Identity, Profile

IDENTITY = """
SELECT player.id, session.id, player.email IS NULL, player.is_staff, player.banned_until
  FROM players_session AS session JOIN players_player AS player ON player.id = session.player_id
 WHERE session.token_hash = %s AND session.revoked_at IS NULL AND player.is_active
"""
PROFILES = "SELECT id, name, email IS NULL AND erased_at IS NULL FROM players_player WHERE id = ANY (%s)"
REVOKED = """
SELECT open_session FROM unnest(%s::uuid[]) AS open_session
 WHERE NOT EXISTS (SELECT FROM players_session WHERE id = open_session AND revoked_at IS NULL)
"""
BANNED = """
SELECT session.id FROM players_session AS session JOIN players_player AS player ON player.id = session.player_id
 WHERE session.id = ANY (%s::uuid[]) AND player.banned_until > now()
"""

Database = AsyncConnection[Any]


async def identity(database: Database, digest: bytes) -> Identity | None:
    row = await (await database.execute(IDENTITY, [digest])).fetchone()
    return Identity(*row) if row else None


async def profiles(database: Database, players: Iterable[UUID]) -> list[Profile]:
    return [Profile(*row) for row in await (await database.execute(PROFILES, [list(players)])).fetchall()]


async def revoked_sessions(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those of the given sessions that are revoked or deleted."""
    return [row[0] for row in await (await database.execute(REVOKED, [list(sessions)])).fetchall()]


async def banned_sessions(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those of the given sessions whose players are banned."""
    return [row[0] for row in await (await database.execute(BANNED, [list(sessions)])).fetchall()]


def identity_sync(digest: bytes) -> Identity | None:
    with connection.cursor() as cursor:
        cursor.execute(IDENTITY, [digest])
        row = cursor.fetchone()
    return Identity(*row) if row else None


def profiles_sync(players: Iterable[UUID]) -> list[Profile]:
    with connection.cursor() as cursor:
        cursor.execute(PROFILES, [list(players)])
        return [Profile(*row) for row in cursor.fetchall()]


def reads_committed_rows() -> bool:
    """Inside a transaction this thread would read its own uncommitted changes."""
    return not connection.in_atomic_block
