"""Idempotency keys of the players' API in the table of receipts, where the append finds them at no extra cost.

Sync, on Django's connection, in the transaction of the caller. If one key is used here and in a game at the same time,
the primary key of the table makes one of the two transactions wait for the other.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from games.log.models import Receipt

NO_GAME = UUID(int=0)  # the game of a key that was used outside games
# The role of the service may not write to the table itself: see `service_functions.sql`.
TAKE = "SELECT games_key_take(%s, %s, %s)"
FREE = "SELECT games_keys_free(%s::uuid[], %s::text[])"
ERASE = "SELECT games_keys_erase(%s)"


class PlayerKeyStore:
    """The `IdempotencyKeyStore` of `players.extensions`."""

    def has(self, player: UUID, key: str) -> bool:
        return Receipt.objects.filter(player=player, key=key).exists()

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """Its fingerprint matches no request to a game: such a request is refused as `idempotency_key_reused`."""
        with connection.cursor() as cursor:
            cursor.execute(TAKE, [player, key, fingerprint])
            return bool(cursor.fetchone()[0])

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        used = list(keys)
        with connection.cursor() as cursor:
            cursor.execute(FREE, [[player for player, _ in used], [key for _, key in used]])


def export(player: UUID) -> list[dict[str, Any]]:
    """The keys of the player's commands to games."""
    found = Receipt.objects.filter(~Q(game=NO_GAME), player=player).order_by("key")
    return [dict(row) for row in found.values("key", "game", "first_version", "last_version")]


def erase(player: UUID) -> None:
    """After the last session of the player no client can repeat a command."""
    with connection.cursor() as cursor:
        cursor.execute(ERASE, [player])
