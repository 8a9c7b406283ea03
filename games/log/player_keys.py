"""Keys that players have used outside games, noted among those of games: so every append finds them, at no cost.

Sync, on Django's connection, in the transaction of whoever uses the key. Two who use one key at once, here and in a
game, meet at the table's primary key; one of them waits for the other.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from games.log.models import Receipt

NOWHERE = UUID(int=0)  # the game of a key that was used outside games
# The role of the service may not write to the table itself: see `service_functions.sql`.
TAKE = "SELECT games_key_take(%s, %s, %s)"
FREE = "SELECT games_keys_free(%s::uuid[], %s::text[])"
ERASE = "SELECT games_keys_erase(%s)"


class Keys:
    """A keeper of keys, as `players.database.idempotency` wants one."""

    def has(self, player: UUID, key: str) -> bool:
        return Receipt.objects.filter(player=player, key=key).exists()

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """No request to a game has such a fingerprint: to games this key is one that was used for something else."""
        with connection.cursor() as cursor:
            cursor.execute(TAKE, [player, key, fingerprint])
            return bool(cursor.fetchone()[0])

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        used = list(keys)
        with connection.cursor() as cursor:
            cursor.execute(FREE, [[player for player, _ in used], [key for _, key in used]])


def export(player: UUID) -> list[dict[str, Any]]:
    """What his clients called their commands to games."""
    found = Receipt.objects.filter(~Q(game=NOWHERE), player=player).order_by("key")
    return [dict(row) for row in found.values("key", "game", "first_version", "last_version")]


def erase(player: UUID) -> None:
    """After his last session: nobody can ask again what a key of his has done."""
    with connection.cursor() as cursor:
        cursor.execute(ERASE, [player])
