"""The matchmaking queue in the database: tickets, and matches whose game is still to be created.

Synchronous, on Django's connection. One matchmaker at a time works on a queue (an advisory lock that is tried, never
waited for) and locks its tickets with SKIP LOCKED.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q, QuerySet

from games.matchmaking.models import Match, Ticket
from games.matchmaking.pairing import QueueEntry
from games.rules.refused import Refused
from players.database.ids import earliest
from players.database.transactions import bound_idleness

ABSENT_AFTER = timedelta(seconds=30)  # since the ticket was read, or since the last sign of the player's `me` stream
SEEN_UPDATE_EVERY = timedelta(seconds=2)
KEPT_FOR = timedelta(days=1)  # a ticket that no longer waits, so that its player can still read it
MAX_TICKETS = 2000  # of one queue in one sweep, the oldest first

EXPIRE_ABSENT = """
UPDATE games_ticket SET status = 'expired'
 WHERE id IN (
           SELECT id FROM games_ticket
            WHERE status = 'queued' AND game IS NULL
              AND (seen_at < %s OR NOT EXISTS (SELECT FROM players_player AS p WHERE p.id = player AND p.is_active
                                                         AND (p.banned_until IS NULL OR p.banned_until < now())))
              FOR UPDATE SKIP LOCKED)
"""
# A ticket that a matchmaker holds is skipped: the matchmaker has just found that its player is present.
UPDATE_SEEN = """
UPDATE games_ticket SET seen_at = %s
 WHERE id IN (
           SELECT id FROM games_ticket WHERE player = ANY (%s) AND status = 'queued' AND seen_at < %s
              FOR UPDATE SKIP LOCKED)
"""
ASSIGN_GAMES = """
UPDATE games_ticket SET game = chosen.game FROM unnest(%s::uuid[], %s::uuid[]) AS chosen (ticket, game)
 WHERE id = chosen.ticket
"""
MATCHED = """
SELECT player, id, game FROM games_ticket WHERE game >= %s AND status = 'matched' AND player = ANY (%s)
"""
IDLE_S = 2.0  # more than it takes to form the matches of a queue
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))"


class Queue(NamedTuple):
    """Players who want the same kind of game wait in one queue."""

    ruleset: str
    sheet: str
    seats: int
    rated: bool


class NewMatch(NamedTuple):
    """A match to be stored: the settings of its game, its players in the order of their seats, and their tickets."""

    settings: Mapping[str, Any]
    players: Sequence[str]
    tickets: Sequence[str]
    late_seeds: Sequence[str] = ()  # the players who have announced a client seed


class QueuePosition(NamedTuple):
    ahead: int
    others: int


def enter(
    player: UUID, queue: Queue, bots_after_s: int | None, rating: float, now: datetime, *, late_seed: bool = False
) -> Ticket:
    """One ticket per player; one whose player was absent too long is expired and replaced."""
    own = Ticket.objects.filter(player=player, status="queued")
    own.filter(game=None, seen_at__lt=now - ABSENT_AFTER).update(status="expired")
    waiting = {"bots_after_s": bots_after_s, "rating": rating, "late_seed": late_seed}
    ticket = Ticket(player=player, **queue._asdict(), **waiting, created_at=now, seen_at=now)
    try:
        with transaction.atomic():
            ticket.save(force_insert=True)
    except IntegrityError:
        earlier = own.first()
        raise Refused("already_queued", **({"ticket": str(earlier.pk)} if earlier else {})) from None
    return ticket


def mark_present(players: Collection[UUID], now: datetime) -> None:
    """Keep the tickets of these players from expiring."""
    with connection.cursor() as cursor:
        cursor.execute(UPDATE_SEEN, [now, list(players), now - SEEN_UPDATE_EVERY])


def get(player: UUID, ticket: UUID) -> Ticket:
    """A ticket of another player is not found."""
    found = Ticket.objects.filter(pk=ticket, player=player).first()
    if found is None:
        raise Refused("not_found")
    return found


def queued(player: UUID) -> Ticket | None:
    """The ticket with which the player waits now; there is at most one."""
    return Ticket.objects.filter(player=player, status="queued").first()


def cancel(player: UUID, ticket: UUID) -> Ticket:
    """Leave the queue; a ticket that already belongs to a match stays as it is."""
    Ticket.objects.filter(pk=ticket, player=player, status="queued", game=None).update(status="cancelled")
    return get(player, ticket)


def queue_of(ticket: Ticket) -> Queue:
    return Queue(ticket.ruleset, ticket.sheet, ticket.seats, ticket.rated)


def position(ticket: Ticket) -> QueuePosition:
    others = _waiting(queue_of(ticket)).exclude(pk=ticket.pk)
    return QueuePosition(**others.aggregate(ahead=Count("pk", filter=Q(pk__lt=ticket.pk)), others=Count("pk")))


def expire_absent(now: datetime) -> None:
    """Expire the tickets of players who are absent, banned or deleted."""
    with connection.cursor() as cursor:
        cursor.execute(EXPIRE_ABSENT, [now - ABSENT_AFTER])


def delete_old(now: datetime) -> None:
    Ticket.objects.exclude(status="queued").filter(seen_at__lt=now - KEPT_FOR).delete()


def queues() -> list[Queue]:
    rows = Ticket.objects.filter(status="queued", game=None).values_list(*Queue._fields).distinct()
    return [Queue(*row) for row in rows]


def lock_name(queue: Queue) -> str:
    return f"matchmaking {' '.join(map(str, queue))}"


def try_lock(queue: Queue) -> bool:
    """Whether this transaction has the queue to itself until it ends; a frozen process loses it."""
    bound_idleness(IDLE_S)
    with connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [lock_name(queue)])
        (is_locked,) = cursor.fetchone()
    return bool(is_locked)


def lock_waiting(queue: Queue, now: datetime) -> list[QueueEntry]:
    """The entries of a queue, locked until the transaction ends; none while another matchmaker has the queue."""
    if not try_lock(queue):
        return []
    rows = _waiting(queue).order_by("pk").select_for_update(skip_locked=True)[:MAX_TICKETS]
    return [_entry(row, now) for row in rows]


def _entry(ticket: Ticket, now: datetime) -> QueueEntry:
    waited = (now - ticket.created_at).total_seconds()
    return QueueEntry(str(ticket.pk), str(ticket.player), ticket.rating, waited, ticket.bots_after_s, ticket.late_seed)


def _waiting(queue: Queue) -> QuerySet[Ticket]:
    return Ticket.objects.filter(status="queued", game=None, **queue._asdict())


def save_matches(matches: Iterable[NewMatch], now: datetime) -> None:
    """Store matches and assign their tickets to them, so that no other match can take these tickets."""
    rows = [
        (
            Match(settings=new.settings, players=new.players, late_seeds=[*new.late_seeds], created_at=now),
            new.tickets,
        )
        for new in matches
    ]
    Match.objects.bulk_create([match for match, _ in rows])
    chosen = [(ticket, match.pk) for match, tickets in rows for ticket in tickets]
    with connection.cursor() as cursor:
        cursor.execute(ASSIGN_GAMES, [[ticket for ticket, _ in chosen], [game for _, game in chosen]])


def lock_matches(limit: int) -> list[Match]:
    """Matches that no other matchmaker holds, locked until the transaction ends."""
    return list(Match.objects.order_by("pk").select_for_update(skip_locked=True)[:limit])


def complete_matches(games: Sequence[UUID]) -> list[tuple[str, str, str]]:
    """Mark the tickets of games that now exist; returns player, ticket and game of each of them."""
    tickets = Ticket.objects.filter(game__in=games, status="queued")
    rows = [(str(player), str(pk), str(game)) for player, pk, game in tickets.values_list("player", "pk", "game")]
    tickets.update(status="matched")
    Match.objects.filter(pk__in=games).delete()
    return rows


def recently_matched(players: Collection[UUID], since: datetime) -> list[tuple[str, str, str]]:
    """Player, ticket and game of every match of these players since then; ids of games sort by time."""
    with connection.cursor() as cursor:
        cursor.execute(MATCHED, [earliest(since), list(players)])
        return [(str(player), str(ticket), str(game)) for player, ticket, game in cursor.fetchall()]


def cancel_match(game: UUID, **changes: Any) -> None:
    """Delete a match whose game cannot be created; its players wait on, unless `changes` set another status."""
    Ticket.objects.filter(game=game, status="queued").update(game=None, **changes)
    Match.objects.filter(pk=game).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    """Every stored ticket of this player."""
    return list(Ticket.objects.filter(player=player).order_by("pk").values(*(f.attname for f in Ticket._meta.fields)))


def erase(player: UUID) -> None:
    """Called before the player leaves all games: a stored match is cancelled here, a created game is left there."""
    with transaction.atomic():
        for match in Match.objects.filter(players__contains=str(player)).select_for_update():
            cancel_match(match.pk)
        Ticket.objects.filter(player=player).delete()
