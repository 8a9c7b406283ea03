"""Blocks (two players are never brought together) and mutes (no phrases); the other player is never notified."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.social.models import Block, Mute, PlayerPair

Kind = type[Block] | type[Mute]


def put(kind: Kind, player: UUID, other: UUID) -> None:
    """Add a block or a mute; adding it twice is harmless."""
    if player == other:
        raise RequestRefused("not_allowed")
    if not Player.objects.filter(pk=other, is_active=True).exists():
        raise RequestRefused("not_found")
    kind.objects.get_or_create(player_id=player, other_id=other)


def lift(kind: Kind, player: UUID, other: UUID) -> None:
    kind.objects.filter(player=player, other=other).delete()


def listed(kind: Kind, player: UUID) -> list[UUID]:
    """All players whom this player blocks or mutes, newest first."""
    return list(kind.objects.filter(player=player).order_by("-pk").values_list("other_id", flat=True))


def page(
    kind: Kind, player: UUID, limit: int, direction: str = "after", position: int | None = None
) -> list[PlayerPair]:
    """One page, newest first: the first one, or the rows older (`after`) or newer than a position."""
    rows = kind.objects.filter(player=player).order_by("-pk")
    if position is None:
        return list(rows[:limit])
    if direction == "after":
        return list(rows.filter(pk__lt=position)[:limit])
    return list(rows.filter(pk__gt=position).order_by("pk")[:limit])[::-1]


def blocked_either_way(player: UUID) -> frozenset[UUID]:
    """The players whom this player blocks, and those who block this player."""
    pairs = Block.objects.filter(Q(player=player) | Q(other=player)).values_list("player_id", "other_id")
    return frozenset(one for pair in pairs for one in pair if one != player)


def is_blocked(player: UUID, by: UUID) -> bool:
    return Block.objects.filter(player=by, other=player).exists()


def blocked_pairs(players: Collection[UUID]) -> frozenset[frozenset[UUID]]:
    """The pairs among these players that must not meet."""
    rows = Block.objects.filter(player__in=players, other__in=players).values_list("player_id", "other_id")
    return frozenset(frozenset(row) for row in rows)


def muted_by(speaker: UUID) -> frozenset[UUID]:
    """The players who receive no phrases of this player: a block mutes, too."""
    return frozenset(
        listener
        for kind in (Block, Mute)
        for listener in kind.objects.filter(other=speaker).values_list("player_id", flat=True)
    )


def export(player: UUID) -> dict[str, Any]:
    """The player's own blocks and mutes; those against the player are data of the players who made them."""
    return {name: [str(other) for other in listed(kind, player)] for name, kind in (("blocks", Block), ("mutes", Mute))}


def erase(player: UUID) -> None:
    """Delete blocks and mutes by the player and of the player."""
    for kind in (Block, Mute):
        kind.objects.filter(Q(player=player) | Q(other=player)).delete()
