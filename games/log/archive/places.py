"""Finds where the log of an archived game is."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection as django_connection

from games.game.values import Value
from games.log.connections import Connection


class ArchivedLog(Value, frozen=True):
    """The events of a game up to a version, in a volume."""

    game: UUID
    store: str
    name: str
    offset: int
    length: int
    version: int
    hash: bytes


PLACES = """
    SELECT game_id, store, name, "offset", length, version, hash
      FROM games_archivedgame JOIN games_volume ON name = volume
     WHERE game_id = ANY ({})
"""


async def place(connection: Connection, game: UUID) -> ArchivedLog | None:
    """None: the whole log is in the database, or there is none."""
    rows = await connection.fetch(PLACES.format("$1"), [game])
    return ArchivedLog(*rows[0]) if rows else None


def places(games: Sequence[UUID]) -> list[ArchivedLog]:
    """For Django's connection: those of these games that are archived."""
    with django_connection.cursor() as cursor:
        cursor.execute(PLACES.format("%s"), [list(games)])
        rows: Any = cursor.fetchall()
        return [ArchivedLog(*row)._replace(hash=bytes(row[-1])) for row in rows]
