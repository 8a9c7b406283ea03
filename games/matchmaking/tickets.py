"""The queue in the database: tickets, and matches whose game is yet to be made; decides nothing about who meets whom.

Sync, on Django's connection. A matchmaker works on a queue alone (an advisory lock that is tried, never waited for) and
takes its tickets with SKIP LOCKED; what it writes down in one transaction is all there or not at all.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q, QuerySet

from games.matchmaking.models import Match, Ticket
from games.matchmaking.pairing import Entry
from games.rules.refused import Refused
from players.database.ids import earliest

ABSENT_AFTER = timedelta(seconds=30)  # without a look at the ticket, or a sign from the player's own stream
NOTED_EVERY = timedelta(seconds=2)
KEPT = timedelta(days=1)  # a ticket that is settled, for whoever asks what became of it
AT_ONCE = 2000  # of one queue, the oldest first

ABSENT = """
UPDATE games_ticket SET status = 'expired'
 WHERE id IN (
           SELECT id FROM games_ticket
            WHERE status = 'queued' AND game IS NULL
              AND (seen_at < %s OR NOT EXISTS (SELECT FROM players_player AS p WHERE p.id = player AND p.is_active
                                                         AND (p.banned_until IS NULL OR p.banned_until < now())))
              FOR UPDATE SKIP LOCKED)
"""
# A ticket that a matchmaker just holds needs no note: whoever is being looked for was there a moment ago.
NOTE = """
UPDATE games_ticket SET seen_at = %s
 WHERE id IN (
           SELECT id FROM games_ticket WHERE player = ANY (%s) AND status = 'queued' AND seen_at < %s
              FOR UPDATE SKIP LOCKED)
"""
CHOSEN = """
UPDATE games_ticket SET game = chosen.game FROM unnest(%s::uuid[], %s::uuid[]) AS chosen (ticket, game)
 WHERE id = chosen.ticket
"""
MATCHED = """
SELECT player, id, game FROM games_ticket WHERE game >= %s AND status = 'matched' AND player = ANY (%s)
"""
ALONE = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))"


class Queue(NamedTuple):
    """Those who want the same game wait in one queue."""

    ruleset: str
    sheet: str
    seats: int
    rated: bool


class Found(NamedTuple):
    """Company that was found: the game to be made of it, its people in the order of their seats, their tickets."""

    settings: Mapping[str, Any]
    players: Sequence[str]
    tickets: Sequence[str]


class Standing(NamedTuple):
    ahead: int
    others: int


def enter(player: UUID, queue: Queue, bots_after_s: int | None, rating: float, now: datetime) -> Ticket:
    """One ticket per player; one that has been forgotten does not stand in the way."""
    mine = Ticket.objects.filter(player=player, status="queued")
    mine.filter(game=None, seen_at__lt=now - ABSENT_AFTER).update(status="expired")
    ticket = Ticket(
        player=player, **queue._asdict(), bots_after_s=bots_after_s, rating=rating, created_at=now, seen_at=now
    )
    try:
        with transaction.atomic():
            ticket.save(force_insert=True)
    except IntegrityError:
        earlier = mine.first()
        raise Refused("already_queued", **({"ticket": str(earlier.pk)} if earlier else {})) from None
    return ticket


def present(players: Collection[UUID], now: datetime) -> None:
    """These players are there: their tickets live on."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE, [now, list(players), now - NOTED_EVERY])


def of(player: UUID, ticket: UUID) -> Ticket:
    """Another's ticket is not there."""
    found = Ticket.objects.filter(pk=ticket, player=player).first()
    if found is None:
        raise Refused("not_found")
    return found


def cancel(player: UUID, ticket: UUID) -> Ticket:
    """Unless it is too late: who has company already plays, or resigns."""
    Ticket.objects.filter(pk=ticket, player=player, status="queued", game=None).update(status="cancelled")
    return of(player, ticket)


def queue_of(ticket: Ticket) -> Queue:
    return Queue(ticket.ruleset, ticket.sheet, ticket.seats, ticket.rated)


def standing(ticket: Ticket) -> Standing:
    others = _waiting(queue_of(ticket)).exclude(pk=ticket.pk)
    return Standing(**others.aggregate(ahead=Count("pk", filter=Q(pk__lt=ticket.pk)), others=Count("pk")))


def expire(now: datetime) -> None:
    """A ticket dies with its owner's absence."""
    with connection.cursor() as cursor:
        cursor.execute(ABSENT, [now - ABSENT_AFTER])


def tidy(now: datetime) -> None:
    Ticket.objects.exclude(status="queued").filter(seen_at__lt=now - KEPT).delete()


def queues() -> list[Queue]:
    rows = Ticket.objects.filter(status="queued", game=None).values_list(*Queue._fields).distinct()
    return [Queue(*row) for row in rows]


def held(queue: Queue, now: datetime) -> list[Entry]:
    """All who wait in a queue, held until the transaction ends; none while another matchmaker holds it."""
    with connection.cursor() as cursor:
        cursor.execute(ALONE, [f"matchmaking {' '.join(map(str, queue))}"])
        is_alone = cursor.fetchone()[0]
    if not is_alone:
        return []
    return [_entry(row, now) for row in _waiting(queue).order_by("pk").select_for_update(skip_locked=True)[:AT_ONCE]]


def _entry(ticket: Ticket, now: datetime) -> Entry:
    waited = (now - ticket.created_at).total_seconds()
    return Entry(str(ticket.pk), str(ticket.player), ticket.rating, waited, ticket.bots_after_s)


def _waiting(queue: Queue) -> QuerySet[Ticket]:
    return Ticket.objects.filter(status="queued", game=None, **queue._asdict())


def write_down(matches: Iterable[Found], now: datetime) -> None:
    """Who was given company; from now on these tickets are nobody else's."""
    rows = [(Match(settings=found.settings, players=found.players, created_at=now), found.tickets) for found in matches]
    Match.objects.bulk_create([match for match, _ in rows])
    chosen = [(ticket, match.pk) for match, tickets in rows for ticket in tickets]
    with connection.cursor() as cursor:
        cursor.execute(CHOSEN, [[ticket for ticket, _ in chosen], [game for _, game in chosen]])


def unmade(at_most: int) -> list[Match]:
    """Matches that nobody is making a game of just now, held until the transaction ends."""
    return list(Match.objects.order_by("pk").select_for_update(skip_locked=True)[:at_most])


def made(games: Sequence[UUID]) -> list[tuple[str, str, str]]:
    """Their games are there. Who has to be told: player, ticket, game."""
    tickets = Ticket.objects.filter(game__in=games, status="queued")
    told = [
        (str(player), str(ticket), str(game)) for player, ticket, game in tickets.values_list("player", "pk", "game")
    ]
    tickets.update(status="matched")
    Match.objects.filter(pk__in=games).delete()
    return told


def matched(players: Collection[UUID], since: datetime) -> list[tuple[str, str, str]]:
    """Who was given company since then: player, ticket, game. The ids of games tell when."""
    with connection.cursor() as cursor:
        cursor.execute(MATCHED, [earliest(since), list(players)])
        return [(str(player), str(ticket), str(game)) for player, ticket, game in cursor.fetchall()]


def dissolve(game: UUID, **changes: Any) -> None:
    """No game can be made of this match: its members wait on, or whatever `changes` say of them."""
    Ticket.objects.filter(game=game, status="queued").update(game=None, **changes)
    Match.objects.filter(pk=game).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    """What is stored about this player."""
    return list(Ticket.objects.filter(player=player).order_by("pk").values(*(f.attname for f in Ticket._meta.fields)))


def erase(player: UUID) -> None:
    """Before the player resigns from his games: a match under way has become one of them, or never will."""
    with transaction.atomic():
        for match in Match.objects.filter(players__contains=str(player)).select_for_update():
            dissolve(match.pk)
        Ticket.objects.filter(player=player).delete()
