"""Matchmakers on the real database: complete, nobody twice, near ratings, and safe to be killed anywhere."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random
from statistics import mean

import psycopg
import pytest
from django.db import connection, transaction

from games import commands, runtime
from games.game.lobby import Settings
from games.log.models import Event, Game, Seat
from games.matchmaking import matchmaker, tickets
from games.matchmaking.models import Match, Ticket
from games.matchmaking.tickets import Found, Queue
from games.rules.refused import Refused
from players.database.ids import uuid7
from players.models import Block, Player
from players.social import blocks
from qwixx_service.celery import app
from tests.matchmaking.conftest import TWO, Queued, Sweeper, game_of, now

THREE = Queue("qwinto", "classic", 3, rated=False)


def crowd(count: int, queue: Queue, luck: Random) -> list[Ticket]:
    """Many who have all just come."""
    players = [Player(id=uuid7(), name="Ann") for _ in range(count)]
    Player.objects.bulk_create(players)
    moment = now()
    waiting = [
        Ticket(player=p.pk, **queue._asdict(), rating=luck.gauss(1000, 120), created_at=moment, seen_at=moment)
        for p in players
    ]
    return Ticket.objects.bulk_create(waiting)


def is_sound(waiting: list[Ticket]) -> None:
    """Each of them sits in one game, all of whose seats are taken, and each game was made once."""
    games = {ticket.pk: game_of(ticket) for ticket in waiting}
    seats = {(seat.game_id, seat.player) for seat in Seat.objects.all()}
    assert {(games[ticket.pk], ticket.player) for ticket in waiting if games[ticket.pk]} == seats
    assert max(Counter(player for _, player in seats).values()) == 1
    assert set(Game.objects.values_list("status", flat=True)) == {"playing"}
    assert Event.objects.filter(type="game_created").count() == Game.objects.count()
    assert not Match.objects.exists()


def test_a_thousand_tickets_two_matchmakers_one_killed(
    new_sweeper: Callable[[], Sweeper],
) -> None:
    luck = Random(6)
    waiting = [ticket for queue in (TWO, THREE) for ticket in crowd(500, queue, luck)]
    one, other = new_sweeper(), new_sweeper()
    assert one.hears("ready\n")
    assert other.hears("ready\n")
    one.start()
    other.start()
    while not Game.objects.exists():  # in the middle: some games are made, most are not
        assert one.process.poll() is None
    one.kill()
    assert other.hears("swept\n")
    for _ in range(3):  # what the dead one held was free a moment later; what it left behind is found
        other.start()
        assert other.hears("swept\n")
    is_sound(waiting)
    is_near(waiting)
    left = [ticket for ticket in waiting if ticket.status == "queued"]
    for queue in (TWO, THREE):
        assert not is_company(queue, [ticket for ticket in left if tickets.queue_of(ticket) == queue])


def is_near(waiting: list[Ticket]) -> None:
    """Those who play together are nearer to each other than people are on the whole."""
    groups: dict[object, list[float]] = {}
    for ticket in waiting:
        if ticket.game:
            groups.setdefault(ticket.game, []).append(ticket.rating)
    spreads = [max(ratings) - min(ratings) for ratings in groups.values()]
    assert mean(spreads) < 20  # where the standard deviation is 120
    assert len(groups) > 400


def is_company(queue: Queue, left: list[Ticket]) -> bool:
    """Could so many of them play together at once? Their windows have grown for less than a minute."""
    ratings = sorted(ticket.rating for ticket in left)
    runs = zip(ratings, ratings[queue.seats - 1 :], strict=False)
    return any(last - first <= 80 for first, last in runs)


def test_a_match_whose_game_was_made_before_its_matchmaker_died_is_settled(queued: Queued, here: None) -> None:
    pair = [queued(), queued()]
    players = [str(ticket.player) for ticket in pair]
    settings = Settings("qwixx", rated=True)
    tickets.write_down([Found(settings._asdict(), players, [str(ticket.pk) for ticket in pair])], now())
    match = Match.objects.get()
    assert runtime.call(lambda engine: commands.gather(engine, match.pk, settings, players, now()))
    assert [game_of(ticket) for ticket in pair] == [None, None]
    matchmaker.sweep(now())
    assert [game_of(ticket) for ticket in pair] == [match.pk, match.pk]
    is_sound(pair)


def test_seats_of_different_queues_do_not_mix(queued: Queued, here: None) -> None:
    waiting = [queued(), queued(queue=TWO._replace(rated=False)), queued(queue=TWO._replace(seats=3))]
    matchmaker.sweep(now())
    assert [game_of(ticket) for ticket in waiting] == [None] * 3


def test_the_game_is_what_the_tickets_asked_for(queued: Queued, here: None) -> None:
    waiting = [queued(queue=THREE) for _ in range(3)]
    matchmaker.sweep(now())
    game = Game.objects.get()
    assert {game_of(ticket) for ticket in waiting} == {game.pk}
    assert (game.ruleset, game.sheet, game.seats, game.rated, game.status) == ("qwinto", "classic", 3, False, "playing")
    assert game.clock == {"roll_s": 20, "answer_s": 45}


def test_who_is_blocked_is_never_met(queued: Queued, here: None) -> None:
    ann, ben = queued(waited_s=100), queued(waited_s=100)
    blocks.put(Block, ben.player, ann.player)
    matchmaker.sweep(now())
    assert (game_of(ann), game_of(ben)) == (None, None)
    cat = queued()
    matchmaker.sweep(now())
    assert game_of(ann) == game_of(cat) is not None
    assert game_of(ben) is None


def test_a_ticket_dies_with_its_owners_absence(queued: Queued, here: None) -> None:
    gone, there = queued(), queued()
    Ticket.objects.filter(pk=gone.pk).update(seen_at=now() - tickets.ABSENT_AFTER - timedelta(seconds=1))
    matchmaker.sweep(now())
    gone.refresh_from_db()
    assert gone.status == "expired"
    assert game_of(there) is None


def test_a_sign_of_life_keeps_a_ticket(queued: Queued, here: None) -> None:
    ticket = queued()
    tickets.present([ticket.player], now() + tickets.ABSENT_AFTER)
    matchmaker.sweep(now() + tickets.ABSENT_AFTER + timedelta(seconds=20))
    ticket.refresh_from_db()
    assert ticket.status == "queued"


def test_a_banned_player_waits_in_vain(queued: Queued, here: None) -> None:
    banned, other = queued(), queued()
    Player.objects.filter(pk=banned.player).update(is_active=False)
    matchmaker.sweep(now())
    assert (game_of(banned), game_of(other)) == (None, None)


def test_a_matchmaker_killed_between_a_game_and_its_tickets_makes_no_second_game(
    queued: Queued, here: None, conninfo: str, new_sweeper: Callable[[], Sweeper]
) -> None:
    waiting = [queued() for _ in range(20)]
    matchmaker.form(TWO, now())
    with psycopg.connect(conninfo) as holder, psycopg.connect(conninfo, autocommit=True) as watcher:
        holder.execute("SELECT FROM games_ticket WHERE id = %s FOR UPDATE", [waiting[0].pk])
        sweeper = new_sweeper()
        assert sweeper.hears("ready\n")
        sweeper.start()
        while watcher.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() == (0,):
            assert sweeper.process.poll() is None
        assert Game.objects.count() == 10
        sweeper.kill()
    assert {ticket.status for ticket in Ticket.objects.all()} == {"queued"}
    while Match.objects.exists():  # the database notices a moment later that its client is dead
        matchmaker.sweep(now())
    is_sound(waiting)
    assert Game.objects.count() == 10


def test_a_queue_that_another_matchmaker_holds_is_left_to_it(
    queued: Queued, here: None, new_sweeper: Callable[[], Sweeper]
) -> None:
    pair = [queued(), queued()]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(tickets.ALONE, [f"matchmaking {' '.join(map(str, TWO))}"])
        sweeper = new_sweeper()
        assert sweeper.hears("ready\n")
        sweeper.start()
        assert sweeper.hears("swept\n")
        assert [game_of(ticket) for ticket in pair] == [None, None]
    matchmaker.sweep(now())
    assert game_of(pair[0]) is not None


def test_one_player_has_one_ticket(queued: Queued) -> None:
    ticket = queued()
    with pytest.raises(Refused) as refused:
        tickets.enter(ticket.player, THREE, None, 1000.0, now())
    assert (refused.value.code, refused.value.data) == ("already_queued", {"ticket": str(ticket.pk)})


def test_a_forgotten_ticket_does_not_stand_in_the_way(queued: Queued) -> None:
    ticket = queued()
    later = now() + tickets.ABSENT_AFTER + timedelta(seconds=1)
    assert tickets.enter(ticket.player, THREE, None, 1000.0, later).status == "queued"
    ticket.refresh_from_db()
    assert ticket.status == "expired"


def test_who_has_been_given_company_can_no_longer_leave(queued: Queued, here: None) -> None:
    pair = [queued(), queued()]
    matchmaker.form(TWO, now())
    assert tickets.cancel(pair[0].player, pair[0].pk).status == "queued"
    matchmaker.make(now())
    assert tickets.cancel(pair[0].player, pair[0].pk).status == "matched"


def test_a_match_that_no_game_can_be_made_of_frees_its_members(queued: Queued, here: None) -> None:
    pair = [queued(), queued()]
    settings = Settings("qwixx", sheet="no such sheet")._asdict()
    tickets.write_down([Found(settings, [str(t.player) for t in pair], [str(t.pk) for t in pair])], now())
    matchmaker.make(now())
    assert set(Ticket.objects.values_list("status", "game")) == {("expired", None)}
    assert not Match.objects.exists()


def test_settled_tickets_are_forgotten_after_a_day(queued: Queued, here: None) -> None:
    queued()
    matched = [queued(queue=THREE) for _ in range(3)]
    matchmaker.sweep(now())
    tickets.tidy(now() + tickets.KEPT - timedelta(hours=1))
    assert Ticket.objects.count() == 4
    tickets.tidy(now() + tickets.KEPT + timedelta(hours=1))
    assert not Ticket.objects.filter(pk__in=[ticket.pk for ticket in matched]).exists()
    assert Ticket.objects.get().status == "queued"


def test_nothing_is_left_of_a_player_who_goes(queued: Queued, here: None) -> None:
    leaving, staying = queued(), queued()
    matchmaker.form(TWO, now())
    assert [row["id"] for row in tickets.export(leaving.player)] == [leaving.pk]
    tickets.erase(leaving.player)
    assert not tickets.export(leaving.player)
    assert not Match.objects.exists()
    matchmaker.sweep(now())
    assert game_of(staying) is None
    assert not Game.objects.exists()


def test_beat_and_worker_know_the_tasks_of_the_queue() -> None:
    app.loader.import_default_modules()
    ours = {"games.match", "games.tidy_queue"}
    assert ours <= {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert ours <= set(app.tasks)
