"""Idempotency keys of requests outside games, stored as receipts, so that an append finds them without a query more.

Synchronous, on Django's connection, in the transaction of the request. When two requests use one key at once, the
primary key of the table makes the second wait for the first.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from games.log.models import Receipt

NOWHERE = UUID(int=0)  # the game of a key that was used outside games


class Keys:
    """Stores keys for `players.database.idempotency`."""

    def has(self, player: UUID, key: str) -> bool:
        return Receipt.objects.filter(player=player, key=key).exists()

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """False: the key belongs to a command of a game. A later command with this key finds another fingerprint."""
        receipt = Receipt(
            player=player, key=key, fingerprint=fingerprint, game_id=NOWHERE, first_version=0, last_version=0
        )
        Receipt.objects.bulk_create([receipt], ignore_conflicts=True)
        return Receipt.objects.filter(player=player, key=key, game=NOWHERE).exists()

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        for player, key in keys:
            Receipt.objects.filter(player=player, key=key, game=NOWHERE).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    """The keys that the player's clients gave to commands of games."""
    found = Receipt.objects.filter(~Q(game=NOWHERE), player=player).order_by("key")
    return [dict(row) for row in found.values("key", "game", "first_version", "last_version")]


def erase(player: UUID) -> None:
    """Called after the player's last session: no client can repeat a request of the player any more."""
    Receipt.objects.filter(player=player).delete()
