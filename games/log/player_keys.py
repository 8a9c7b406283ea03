"""Keys that players have used outside games, noted among those of games: so every append finds them, at no cost.

Sync, on Django's connection, in the transaction of whoever uses the key. Two who use one key at once, here and in a
game, meet at the table's primary key; one of them waits for the other.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from games.log.models import Receipt

NOWHERE = UUID(int=0)  # the game of a key that was used outside games


class Keys:
    """A keeper of keys, as `players.database.idempotency` wants one."""

    def has(self, player: UUID, key: str) -> bool:
        return Receipt.objects.filter(player=player, key=key).exists()

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """No request to a game has such a fingerprint: to games this key is one that was used for something else."""
        mine = Receipt(
            player=player, key=key, fingerprint=fingerprint, game_id=NOWHERE, first_version=0, last_version=0
        )
        Receipt.objects.bulk_create([mine], ignore_conflicts=True)
        return Receipt.objects.filter(player=player, key=key, game=NOWHERE).exists()

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        for player, key in keys:
            Receipt.objects.filter(player=player, key=key, game=NOWHERE).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    """What his clients called their commands to games."""
    found = Receipt.objects.filter(~Q(game=NOWHERE), player=player).order_by("key")
    return [dict(row) for row in found.values("key", "game", "first_version", "last_version")]


def erase(player: UUID) -> None:
    """After his last session: nobody can ask again what a key of his has done."""
    Receipt.objects.filter(player=player).delete()
