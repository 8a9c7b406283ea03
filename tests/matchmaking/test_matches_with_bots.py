"""Matches in which bots fill the seats that people did not."""

from games.log.models import Game, Seat
from games.matchmaking.matchmaker import form_matches
from games.matchmaking.models import Match
from games.tasks import matchmaker
from tests.matchmaking.conftest import TWO_SEATS, Enqueue, game_of, now

FOUR_SEATS = TWO_SEATS._replace(seats=4)


def test_players_who_waited_long_enough_get_bots_in_an_unrated_game(enqueue: Enqueue, local_engine: None) -> None:
    waiting = [enqueue(queue=FOUR_SEATS, waited_s=waited, bots_after_s=20) for waited in (30, 25, 5)]
    form_matches(FOUR_SEATS, now())
    match = Match.objects.get()
    assert set(match.players) == {str(ticket.player) for ticket in waiting[:2]}
    assert (match.settings["bots"], match.settings["rated"], match.settings["seats"]) == (["medium"] * 2, False, 4)


def test_a_match_with_bots_becomes_a_game_in_the_same_sweep(enqueue: Enqueue, local_engine: None) -> None:
    ticket = enqueue(bots_after_s=0)
    matchmaker.sweep(now())
    game = Game.objects.get()
    assert (game_of(ticket), game.status, game.rated) == (game.pk, "playing", False)
    assert set(Seat.objects.values_list("player", "bot")) == {(ticket.player, ""), (None, "medium")}
