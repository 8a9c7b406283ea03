"""The matchmaker on a real database: all groups are formed, no player is matched twice, and kills do no harm."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random
from statistics import mean

import psycopg
import pytest
from django.db import InternalError, connection, transaction

from games import commands, runtime
from games.game.decisions.game_settings import Settings
from games.log.models import Game, Seat, StoredEvent
from games.matchmaking import tickets
from games.matchmaking.matchmaker import form_matches
from games.matchmaking.models import Match, Ticket
from games.matchmaking.tickets import NewMatch, Queue
from games.metrics.shared_counters import MATCHMAKING_WAIT
from games.rules.refused import Refused
from games.tasks import matchmaker
from players.database.ids import uuid7
from players.models import Block, Player
from players.social import blocks
from tests.matchmaking.conftest import TWO_SEATS, Enqueue, MatchmakerProcess, game_of, now
from tests.metric_values import taken

THREE_SEATS = Queue("qwinto", "classic", 3, rated=False)


def enqueue_many(count: int, queue: Queue, luck: Random) -> list[Ticket]:
    """Tickets of many new players who have not waited yet."""
    players = [Player(id=uuid7(), name="Ann") for _ in range(count)]
    Player.objects.bulk_create(players)
    moment = now()
    waiting = [
        Ticket(player=p.pk, **queue._asdict(), rating=luck.gauss(1000, 120), created_at=moment, seen_at=moment)
        for p in players
    ]
    return Ticket.objects.bulk_create(waiting)


def check_games(waiting: list[Ticket]) -> None:
    """Every matched player has one seat, every game is full, and every game was created once."""
    games = {ticket.pk: game_of(ticket) for ticket in waiting}
    seats = {(seat.game_id, seat.player) for seat in Seat.objects.all()}
    assert {(games[ticket.pk], ticket.player) for ticket in waiting if games[ticket.pk]} == seats
    assert max(Counter(player for _, player in seats).values()) == 1
    assert set(Game.objects.values_list("status", flat=True)) == {"playing"}
    assert StoredEvent.objects.filter(type="game_created").count() == Game.objects.count()
    assert not Match.objects.exists()


def test_two_matchmakers_match_a_thousand_tickets_though_one_is_killed(
    start_matchmaker: Callable[[], MatchmakerProcess],
) -> None:
    luck = Random(6)
    waiting = [ticket for queue in (TWO_SEATS, THREE_SEATS) for ticket in enqueue_many(500, queue, luck)]
    one, other = start_matchmaker(), start_matchmaker()
    one.start_sweep()
    other.start_sweep()
    while not Game.objects.exists():  # the kill comes when some games exist and most do not
        assert one.process.poll() is None
    one.kill()
    assert other.prints("swept\n")
    for _ in range(3):  # PostgreSQL releases the locks of the killed process a moment later
        other.start_sweep()
        assert other.prints("swept\n")
    check_games(waiting)
    check_distances(waiting)
    left = [ticket for ticket in waiting if ticket.status == "queued"]
    for queue in (TWO_SEATS, THREE_SEATS):
        assert not can_form_group(queue, [ticket for ticket in left if tickets.queue_of(ticket) == queue])


def check_distances(waiting: list[Ticket]) -> None:
    """Ratings within a game are closer than ratings in the whole queue."""
    groups: dict[object, list[float]] = {}
    for ticket in waiting:
        if ticket.game:
            groups.setdefault(ticket.game, []).append(ticket.rating)
    spreads = [max(ratings) - min(ratings) for ratings in groups.values()]
    assert mean(spreads) < 20  # where the standard deviation is 120
    assert len(groups) > 400


def can_form_group(queue: Queue, left: list[Ticket]) -> bool:
    """Whether enough of these players lie within the smallest window."""
    ratings = sorted(ticket.rating for ticket in left)
    runs = zip(ratings, ratings[queue.seats - 1 :], strict=False)
    return any(last - first <= 80 for first, last in runs)


def test_a_sweep_marks_the_tickets_of_a_game_that_a_killed_matchmaker_created(
    enqueue: Enqueue, local_engine: None
) -> None:
    pair = [enqueue(), enqueue()]
    players = [str(ticket.player) for ticket in pair]
    settings = Settings("qwixx", rated=True)
    tickets.save_matches([NewMatch(settings._asdict(), players, [str(ticket.pk) for ticket in pair])], now())
    match = Match.objects.get()
    assert runtime.call(lambda engine: commands.gather(engine, match.pk, settings, players, now()))
    assert [game_of(ticket) for ticket in pair] == [None, None]
    matchmaker.sweep(now())
    assert [game_of(ticket) for ticket in pair] == [match.pk, match.pk]
    check_games(pair)


def test_tickets_of_different_queues_are_not_matched(enqueue: Enqueue, local_engine: None) -> None:
    waiting = [enqueue(), enqueue(queue=TWO_SEATS._replace(rated=False)), enqueue(queue=TWO_SEATS._replace(seats=3))]
    matchmaker.sweep(now())
    assert [game_of(ticket) for ticket in waiting] == [None] * 3


def test_the_wait_of_each_matched_player_is_measured(enqueue: Enqueue, local_engine: None) -> None:
    taken(MATCHMAKING_WAIT)
    for _ in range(2):
        enqueue()
    enqueue(queue=THREE_SEATS)
    matchmaker.sweep(now())
    assert taken(MATCHMAKING_WAIT) == 2


def test_a_matched_game_has_the_settings_of_its_queue(enqueue: Enqueue, local_engine: None) -> None:
    waiting = [enqueue(queue=THREE_SEATS) for _ in range(3)]
    matchmaker.sweep(now())
    game = Game.objects.get()
    assert {game_of(ticket) for ticket in waiting} == {game.pk}
    assert (game.ruleset, game.sheet, game.seats, game.rated, game.status) == ("qwinto", "classic", 3, False, "playing")
    assert game.clock == {"roll_s": 20, "answer_s": 45}


def test_a_player_is_never_matched_with_a_player_who_blocks_them(enqueue: Enqueue, local_engine: None) -> None:
    ann, ben = enqueue(waited_s=100), enqueue(waited_s=100)
    blocks.put(Block, ben.player, ann.player)
    matchmaker.sweep(now())
    assert (game_of(ann), game_of(ben)) == (None, None)
    cat = enqueue()
    matchmaker.sweep(now())
    assert game_of(ann) == game_of(cat) is not None
    assert game_of(ben) is None


def test_the_ticket_of_an_absent_player_expires(enqueue: Enqueue, local_engine: None) -> None:
    gone, there = enqueue(), enqueue()
    Ticket.objects.filter(pk=gone.pk).update(seen_at=now() - tickets.ABSENT_AFTER - timedelta(seconds=1))
    matchmaker.sweep(now())
    gone.refresh_from_db()
    assert gone.status == "expired"
    assert game_of(there) is None


def test_the_ticket_of_a_present_player_does_not_expire(enqueue: Enqueue, local_engine: None) -> None:
    ticket = enqueue()
    tickets.mark_present([ticket.player], now() + tickets.ABSENT_AFTER)
    matchmaker.sweep(now() + tickets.ABSENT_AFTER + timedelta(seconds=20))
    ticket.refresh_from_db()
    assert ticket.status == "queued"


def test_a_banned_player_is_not_matched(enqueue: Enqueue, local_engine: None) -> None:
    banned, other = enqueue(), enqueue()
    Player.objects.filter(pk=banned.player).update(is_active=False)
    matchmaker.sweep(now())
    assert (game_of(banned), game_of(other)) == (None, None)


def test_a_matchmaker_killed_between_game_and_tickets_creates_no_second_game(
    enqueue: Enqueue, local_engine: None, conninfo: str, start_matchmaker: Callable[[], MatchmakerProcess]
) -> None:
    waiting = [enqueue() for _ in range(20)]
    form_matches(TWO_SEATS, now())
    with psycopg.connect(conninfo) as holder, psycopg.connect(conninfo, autocommit=True) as watcher:
        holder.execute("SELECT FROM games_ticket WHERE id = %s FOR UPDATE", [waiting[0].pk])
        process = start_matchmaker()
        process.start_sweep()
        while watcher.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() == (0,):
            assert process.process.poll() is None
        assert Game.objects.count() == 10
        process.kill()
    assert {ticket.status for ticket in Ticket.objects.all()} == {"queued"}
    while Match.objects.exists():  # PostgreSQL releases the locks of the killed process a moment later
        matchmaker.sweep(now())
    check_games(waiting)
    assert Game.objects.count() == 10


def test_a_matchmaker_skips_a_queue_that_another_one_has_locked(
    enqueue: Enqueue, local_engine: None, conninfo: str, start_matchmaker: Callable[[], MatchmakerProcess]
) -> None:
    pair = [enqueue(), enqueue()]
    with psycopg.connect(conninfo) as holder:
        assert holder.execute(tickets.TRY_LOCK, [tickets.lock_name(TWO_SEATS)]).fetchone() == (True,)
        process = start_matchmaker()
        process.start_sweep()
        assert process.prints("swept\n")
        assert [game_of(ticket) for ticket in pair] == [None, None]
    matchmaker.sweep(now())
    assert game_of(pair[0]) is not None


def freed_after(conninfo: str) -> float:
    """Hold the lock of a queue as a frozen process does; the seconds until another one gets it."""
    with transaction.atomic(), psycopg.connect(conninfo, autocommit=True) as other:
        assert tickets.try_lock(TWO_SEATS)
        began = time.monotonic()
        while other.execute(tickets.TRY_LOCK, [tickets.lock_name(TWO_SEATS)]).fetchone() == (False,):
            time.sleep(0.05)
        with pytest.raises(InternalError):
            tickets.try_lock(TWO_SEATS)
        transaction.set_rollback(True)
        return time.monotonic() - began


def test_a_matchmaker_that_is_frozen_loses_its_queue(transactional_db: None, conninfo: str) -> None:
    try:
        assert 1.5 < freed_after(conninfo) < 10
    finally:
        connection.close()


def test_a_player_has_at_most_one_queued_ticket(enqueue: Enqueue) -> None:
    ticket = enqueue()
    with pytest.raises(Refused) as refused:
        tickets.enter(ticket.player, THREE_SEATS, None, 1000.0, now())
    assert (refused.value.code, refused.value.data) == ("already_queued", {"ticket": str(ticket.pk)})


def test_an_expired_ticket_does_not_prevent_a_new_one(enqueue: Enqueue) -> None:
    ticket = enqueue()
    later = now() + tickets.ABSENT_AFTER + timedelta(seconds=1)
    assert tickets.enter(ticket.player, THREE_SEATS, None, 1000.0, later).status == "queued"
    ticket.refresh_from_db()
    assert ticket.status == "expired"


def test_a_player_with_a_match_can_no_longer_cancel(enqueue: Enqueue, local_engine: None) -> None:
    pair = [enqueue(), enqueue()]
    form_matches(TWO_SEATS, now())
    assert tickets.cancel(pair[0].player, pair[0].pk).status == "queued"
    matchmaker.create_games(now())
    assert tickets.cancel(pair[0].player, pair[0].pk).status == "matched"


def test_a_match_with_impossible_settings_expires_its_tickets(enqueue: Enqueue, local_engine: None) -> None:
    pair = [enqueue(), enqueue()]
    settings = Settings("qwixx", sheet="no such sheet")._asdict()
    tickets.save_matches([NewMatch(settings, [str(t.player) for t in pair], [str(t.pk) for t in pair])], now())
    matchmaker.create_games(now())
    assert set(Ticket.objects.values_list("status", "game")) == {("expired", None)}
    assert not Match.objects.exists()


def test_tickets_that_no_longer_wait_are_deleted_after_a_day(enqueue: Enqueue, local_engine: None) -> None:
    enqueue()
    matched = [enqueue(queue=THREE_SEATS) for _ in range(3)]
    matchmaker.sweep(now())
    tickets.delete_old(now() + tickets.KEPT_FOR - timedelta(hours=1))
    assert Ticket.objects.count() == 4
    tickets.delete_old(now() + tickets.KEPT_FOR + timedelta(hours=1))
    assert not Ticket.objects.filter(pk__in=[ticket.pk for ticket in matched]).exists()
    assert Ticket.objects.get().status == "queued"


def test_erasing_a_player_deletes_their_tickets_and_cancels_their_match(enqueue: Enqueue, local_engine: None) -> None:
    leaving, staying = enqueue(), enqueue()
    form_matches(TWO_SEATS, now())
    assert [row["id"] for row in tickets.export(leaving.player)] == [leaving.pk]
    tickets.erase(leaving.player)
    assert not tickets.export(leaving.player)
    assert not Match.objects.exists()
    matchmaker.sweep(now())
    assert game_of(staying) is None
    assert not Game.objects.exists()
