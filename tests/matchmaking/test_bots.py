"""Bots that fill up where people have waited long enough."""

from games.log.models import Game, Seat
from games.matchmaking import matchmaker
from games.matchmaking.models import Match
from tests.matchmaking.conftest import TWO, Queued, game_of, now

FOUR = TWO._replace(seats=4)


def test_people_whose_patience_is_over_get_bots_in_a_game_that_does_not_count(queued: Queued, here: None) -> None:
    waiting = [queued(queue=FOUR, waited_s=waited, bots_after_s=20) for waited in (30, 25, 5)]
    matchmaker.form(FOUR, now())
    match = Match.objects.get()
    assert set(match.players) == {str(ticket.player) for ticket in waiting[:2]}
    assert (match.settings["bots"], match.settings["rated"], match.settings["seats"]) == (["medium"] * 2, False, 4)


def test_a_match_with_bots_is_a_game_at_once(queued: Queued, here: None) -> None:
    ticket = queued(bots_after_s=0)
    matchmaker.sweep(now())
    game = Game.objects.get()
    assert (game_of(ticket), game.status, game.rated) == (game.pk, "playing", False)
    assert set(Seat.objects.values_list("player", "bot")) == {(ticket.player, ""), (None, "medium")}
