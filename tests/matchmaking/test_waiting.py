"""Which games wait for a player, whatever the other seats are: bots have no badge, and nobody waits for who is away."""

from datetime import datetime, timedelta
from uuid import UUID

from games import runtime
from games.game import lobby, play
from games.game.aggregate import Game
from games.game.draft import Draft, Moment
from games.log.game_lists import waiting_seats
from games.log.rows import Caller
from games.rules.actions import Pass, Request, Roll
from players.database.ids import uuid7
from tests.matchmaking.conftest import now


def badge(player: UUID) -> int:
    return waiting_seats(player).count()


def make(settings: lobby.Settings, *players: UUID) -> UUID:
    game_id = uuid7()

    def decide(moment: Moment) -> Draft:
        return lobby.gather(str(game_id), settings, [str(player) for player in players], moment)

    runtime.call(lambda engine: engine.create(game_id, decide, now(), Caller()))
    return game_id


def game(game_id: UUID) -> Game:
    return runtime.call(lambda engine: engine.read(game_id)).game


def test_a_bots_move_is_not_mine(here: None) -> None:
    ann = uuid7()
    games = [make(lobby.Settings("qwixx", bots=["easy"]), ann) for _ in range(8)]
    assert badge(ann) == sum(game(one).position.active == 0 for one in games)


def test_nobody_waits_for_who_is_away(here: None) -> None:
    ann, ben = uuid7(), uuid7()
    game_id, moment = make(lobby.Settings("qwixx"), ann, ben), now()
    while game(game_id).participants[1].state != "away":
        moment = one_phase(game_id, str(ann), moment)
    assert (badge(ann), badge(ben)) == (1, 0)


def one_phase(game_id: UUID, ann: str, moment: datetime) -> datetime:
    """Ann, in seat 0, does what there is to do; where only Ben is waited for, time runs out."""
    found = game(game_id)
    if 0 in found.waiting_for():
        request = Request(Roll() if found.position.phase == "roll" else Pass(), None, None)
        runtime.call(lambda engine: engine.submit(game_id, lambda g, m: play.act(g, ann, request, m), moment))
        return moment
    later = moment + timedelta(minutes=5)
    runtime.call(lambda engine: engine.submit(game_id, play.expire, later))
    return later
