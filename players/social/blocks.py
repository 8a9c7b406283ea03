"""Whom a player does not want to meet (blocks) or to hear (mutes); nobody is ever told that he is blocked or muted."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q

from players.database.refusal import Refused
from players.models import Between, Block, Mute, Player

Kind = type[Block] | type[Mute]


def put(kind: Kind, player: UUID, other: UUID) -> None:
    """Doing it twice is doing it once."""
    if player == other:
        raise Refused("not_allowed")
    if not Player.objects.filter(pk=other, is_active=True).exists():
        raise Refused("not_found")
    kind.objects.get_or_create(player_id=player, other_id=other)


def lift(kind: Kind, player: UUID, other: UUID) -> None:
    kind.objects.filter(player=player, other=other).delete()


def of(kind: Kind, player: UUID) -> list[UUID]:
    """The newest first."""
    return list(kind.objects.filter(player=player).order_by("-pk").values_list("other_id", flat=True))


def page(kind: Kind, player: UUID, limit: int, way: str = "after", mark: int | None = None) -> list[Between]:
    """As many of them, the newest first: from the top, or older or newer than a mark."""
    mine = kind.objects.filter(player=player).order_by("-pk")
    if mark is None:
        return list(mine[:limit])
    if way == "after":
        return list(mine.filter(pk__lt=mark)[:limit])
    return list(mine.filter(pk__gt=mark).order_by("pk")[:limit])[::-1]


def apart_from(player: UUID) -> frozenset[UUID]:
    """All whom a block keeps from this player, whichever of the two it is by."""
    pairs = Block.objects.filter(Q(player=player) | Q(other=player)).values_list("player_id", "other_id")
    return frozenset(one for pair in pairs for one in pair if one != player)


def is_blocked(player: UUID, by: UUID) -> bool:
    return Block.objects.filter(player=by, other=player).exists()


def pairs_among(players: Collection[UUID]) -> frozenset[frozenset[UUID]]:
    """Those of them who must not meet."""
    rows = Block.objects.filter(player__in=players, other__in=players).values_list("player_id", "other_id")
    return frozenset(frozenset(row) for row in rows)


def deaf_to(speaker: UUID) -> frozenset[UUID]:
    """Who does not want to hear this player: a block mutes, too."""
    return frozenset(
        listener
        for kind in (Block, Mute)
        for listener in kind.objects.filter(other=speaker).values_list("player_id", flat=True)
    )


def export(player: UUID) -> dict[str, Any]:
    """What is stored about this player; who blocks him is the secret of others."""
    return {"blocks": [str(other) for other in of(Block, player)], "mutes": [str(other) for other in of(Mute, player)]}


def erase(player: UUID) -> None:
    """Both ways: nobody blocks a player who is gone."""
    for kind in (Block, Mute):
        kind.objects.filter(Q(player=player) | Q(other=player)).delete()
