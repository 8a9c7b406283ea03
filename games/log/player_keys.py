"""Idempotency keys of the players' API in the table of receipts, where the append finds them at no extra cost.

Sync, on Django's connection, in the transaction of the caller. If one key is used here and in a game at the same time,
the primary key of the table makes one of the two transactions wait for the other.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from games.log.models import Receipt

NO_GAME = UUID(int=0)  # the game of a key that was used outside games


class PlayerKeyStore:
    """The `IdempotencyKeyStore` of `players.extensions`."""

    def has(self, player: UUID, key: str) -> bool:
        return Receipt.objects.filter(player=player, key=key).exists()

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """No request to a game has such a fingerprint: for games, the key was used for something else."""
        mine = Receipt(
            player=player, key=key, fingerprint=fingerprint, game_id=NO_GAME, first_version=0, last_version=0
        )
        Receipt.objects.bulk_create([mine], ignore_conflicts=True)
        return Receipt.objects.filter(player=player, key=key, game=NO_GAME).exists()

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        for player, key in keys:
            Receipt.objects.filter(player=player, key=key, game=NO_GAME).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    """The keys of the player's commands to games."""
    found = Receipt.objects.filter(~Q(game=NO_GAME), player=player).order_by("key")
    return [dict(row) for row in found.values("key", "game", "first_version", "last_version")]


def erase(player: UUID) -> None:
    """After the last session of the player no client can repeat a command."""
    Receipt.objects.filter(player=player).delete()
