"""The number of games that wait for a player: neither turns of bots nor players who are away count."""

from datetime import datetime, timedelta
from uuid import UUID

from games import runtime
from games.game.aggregate import GameState
from games.game.decisions import expiry, game_settings, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.log.reads.game_lists import waiting_seats
from games.log.rows import Caller
from games.rules.actions import Pass, Request, Roll
from players.database.ids import uuid7
from tests.matchmaking.conftest import now


def waiting_count(player: UUID) -> int:
    return waiting_seats(player).count()


def create(settings: game_settings.Settings, *players: UUID) -> UUID:
    game_id = uuid7()

    def decide(moment: Moment) -> Draft:
        return lobby.create_with_players(str(game_id), settings, [str(player) for player in players], moment)

    runtime.call(lambda engine: engine.create(game_id, decide, now(), Caller()))
    return game_id


def game(game_id: UUID) -> GameState:
    return runtime.call(lambda engine: engine.read(game_id)).game


def test_a_game_that_waits_for_a_bot_does_not_wait_for_the_player(local_engine: None) -> None:
    ann = uuid7()
    games = [create(game_settings.Settings("qwixx", bots=["easy"]), ann) for _ in range(8)]
    assert waiting_count(ann) == sum(game(one).position.active == 0 for one in games)


def test_no_game_waits_for_a_player_who_is_away(local_engine: None) -> None:
    ann, ben = uuid7(), uuid7()
    game_id, moment = create(game_settings.Settings("qwixx"), ann, ben), now()
    while game(game_id).participants[1].state != "away":
        moment = play_one_phase(game_id, str(ann), moment)
    assert (waiting_count(ann), waiting_count(ben)) == (1, 0)


def play_one_phase(game_id: UUID, ann: str, moment: datetime) -> datetime:
    """Ann, in seat 0, answers; where the game waits for Ben only, the deadline passes."""
    found = game(game_id)
    if 0 in found.waiting_for():
        request = Request(Roll() if found.position.phase == "roll" else Pass(), None, None)
        runtime.call(lambda engine: engine.submit(game_id, lambda g, m: play.act(g, ann, request, m), moment))
        return moment
    later = moment + timedelta(minutes=5)
    runtime.call(lambda engine: engine.submit(game_id, expiry.expire, later))
    return later
