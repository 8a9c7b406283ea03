"""The two questions the directory asks the database, from an event loop or from a thread; it remembers nothing."""

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
SELECT held FROM unnest(%s::uuid[]) AS held
 WHERE NOT EXISTS (SELECT FROM players_session WHERE id = held AND revoked_at IS NULL)
"""
BARRED = """
SELECT session.id FROM players_session AS session JOIN players_player AS player ON player.id = session.player_id
 WHERE session.id = ANY (%s::uuid[]) AND player.banned_until > now()
"""

Database = AsyncConnection[Any]


async def identity(database: Database, digest: bytes) -> Identity | None:
    row = await (await database.execute(IDENTITY, [digest])).fetchone()
    return Identity(*row) if row else None


async def profiles(database: Database, players: Iterable[UUID]) -> list[Profile]:
    return [Profile(*row) for row in await (await database.execute(PROFILES, [list(players)])).fetchall()]


async def revoked(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those that are revoked, or gone."""
    return [row[0] for row in await (await database.execute(REVOKED, [list(sessions)])).fetchall()]


async def barred(database: Database, sessions: Iterable[UUID]) -> list[UUID]:
    """Those of banned players."""
    return [row[0] for row in await (await database.execute(BARRED, [list(sessions)])).fetchall()]


def identity_sync(digest: bytes) -> Identity | None:
    with connection.cursor() as cursor:
        cursor.execute(IDENTITY, [digest])
        row = cursor.fetchone()
    return Identity(*row) if row else None


def profiles_sync(players: Iterable[UUID]) -> list[Profile]:
    with connection.cursor() as cursor:
        cursor.execute(PROFILES, [list(players)])
        return [Profile(*row) for row in cursor.fetchall()]


def is_settled() -> bool:
    """Whether what this thread reads is committed: inside a transaction it would see its own changes."""
    return not connection.in_atomic_block
