"""Invitations in the database: one per game and player, of use while the game is open; decides nothing about seats."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.log.models import Seat
from games.matchmaking.models import Invitation
from games.rules.refused import Refused
from players.database.ids import earliest
from players.models import Block
from players.social import blocks

# The ids of those who are asked about are many: as one array they are sent in a fraction of the time.
FRESH = """
SELECT invitation.id, invitation.game_id, by, player
  FROM games_invitation AS invitation JOIN games_game AS game ON game.id = game_id AND game.status = 'open'
 WHERE invitation.id >= %s AND player = ANY (%s) AND invitation.status = 'pending'
   AND NOT EXISTS (SELECT FROM players_block AS block WHERE block.player_id = player AND block.other_id = by)
   AND NOT EXISTS (SELECT FROM games_seat AS seat WHERE seat.game_id = game.id AND seat.player = invitation.player)
"""


class Fresh(NamedTuple):
    """An invitation as it is told of."""

    id: UUID
    game: UUID
    by: UUID
    player: UUID


def invite(game: UUID, by: UUID, player: UUID, now: datetime) -> tuple[Invitation, bool]:
    """Whoever is invited twice has one invitation, a declined one stays declined. Also: has the player to be told?"""
    fields = {"by": by, "created_at": now}
    invitation, is_new = Invitation.objects.get_or_create(game_id=game, player=player, defaults=fields)
    return invitation, is_new and not blocks.is_blocked(by, by=player)


def pending(player: UUID) -> QuerySet[Invitation]:
    """Into games that are open, by nobody whom the player blocks; not where he sits already."""
    sits = Seat.objects.filter(game=OuterRef("game"), player=player)
    waiting = Invitation.objects.filter(~Exists(sits), player=player, status="pending", game__status="open")
    return waiting.exclude(by__in=blocks.listed(Block, player)).select_related("game")


def fresh(players: Collection[UUID], since: datetime) -> list[Fresh]:
    """What these players were invited to since then, as `pending` has it."""
    with connection.cursor() as cursor:
        cursor.execute(FRESH, [earliest(since), list(players)])
        return [Fresh(*row) for row in cursor.fetchall()]


def of(player: UUID, invitation: UUID) -> Invitation:
    """Another's invitation is not there, nor one by somebody whom the player blocks."""
    found = Invitation.objects.select_related("game").filter(pk=invitation, player=player).first()
    if found is None or blocks.is_blocked(found.by, by=player):
        raise Refused("not_found")
    return found


def answer(invitation: Invitation, status: str) -> None:
    Invitation.objects.filter(pk=invitation.pk, status="pending").update(status=status)


def export(player: UUID) -> list[dict[str, Any]]:
    """What is stored about this player."""
    rows = Invitation.objects.filter(Q(player=player) | Q(by=player)).order_by("pk")
    return [dict(row) for row in rows.values("id", "game_id", "by", "player", "status", "created_at")]


def erase(player: UUID) -> None:
    Invitation.objects.filter(Q(player=player) | Q(by=player)).delete()
