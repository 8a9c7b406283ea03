"""Invitations in the database: one per game and player, valid while the game is open."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from games.log.reads import game_lists
from games.matchmaking.models import Invitation
from games.rules.refused import Refused
from players.database.ids import earliest
from players.models import Block
from players.social import blocks

# Many ids are sent in a fraction of the time as one array.
RECENT = """
SELECT invitation.id, invitation.game_id, by, player
  FROM games_invitation AS invitation JOIN games_game AS game ON game.id = game_id AND game.status = 'open'
 WHERE invitation.id >= %s AND player = ANY (%s) AND invitation.status = 'pending'
   AND NOT EXISTS (SELECT FROM players_block AS block WHERE block.player_id = player AND block.other_id = by)
   AND NOT EXISTS (SELECT FROM games_seat AS seat WHERE seat.game_id = game.id AND seat.player = invitation.player)
"""


class RecentInvitation(NamedTuple):
    """The parts of an invitation that a notification needs."""

    id: UUID
    game: UUID
    by: UUID
    player: UUID


def invite(game: UUID, by: UUID, player: UUID, now: datetime) -> tuple[Invitation, bool]:
    """A second invitation of a player to a game is the first one, a declined one stays declined.

    The second value says whether the player is to be notified.
    """
    fields = {"by": by, "created_at": now}
    invitation, is_new = Invitation.objects.get_or_create(game_id=game, player=player, defaults=fields)
    return invitation, is_new and not blocks.is_blocked(by, by=player)


def pending(player: UUID) -> QuerySet[Invitation]:
    """Invitations to open games in which the player has no seat, without those by players whom they block."""
    has_seat = game_lists.has_seat(player)
    waiting = Invitation.objects.filter(~has_seat, player=player, status="pending", game__status="open")
    return waiting.exclude(by__in=blocks.listed(Block, player)).select_related("game")


def recent(players: Collection[UUID], since: datetime) -> list[RecentInvitation]:
    """The pending invitations of these players since then, under the conditions of `pending`."""
    with connection.cursor() as cursor:
        cursor.execute(RECENT, [earliest(since), list(players)])
        return [RecentInvitation(*row) for row in cursor.fetchall()]


def get(player: UUID, invitation: UUID) -> Invitation:
    """An invitation of another player, or by a player whom this one blocks, is not found."""
    found = Invitation.objects.select_related("game").filter(pk=invitation, player=player).first()
    if found is None or blocks.is_blocked(found.by, by=player):
        raise Refused("not_found")
    return found


def answer(invitation: Invitation, status: str) -> bool:
    """Whether the invitation was pending until now."""
    return bool(Invitation.objects.filter(pk=invitation.pk, status="pending").update(status=status))


def export(player: UUID) -> list[dict[str, Any]]:
    """Every stored invitation that this player sent or received."""
    rows = Invitation.objects.filter(Q(player=player) | Q(by=player)).order_by("pk")
    return [dict(row) for row in rows.values("id", "game_id", "by", "player", "status", "created_at")]


def erase(player: UUID) -> None:
    Invitation.objects.filter(Q(player=player) | Q(by=player)).delete()
