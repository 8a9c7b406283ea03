"""Bots at the table, outages and invitations: commands that nobody who sits there gives by hand."""

from datetime import timedelta

import pytest

from games.game import lobby, play
from games.game.events import moment_of, stamp
from games.game.play import Outage
from games.rules.actions import Pass, Request, Roll
from games.rules.refused import Refused
from tests.builders import ANN, BEN, CAT, Table, loaded, started, types


def _with_bot() -> Table:
    """A person in seat 0, who begins, and a bot."""
    return Table(dice_source=loaded(first=0), bots=["easy"])


def test_a_bot_answers_for_its_own_seat_only() -> None:
    table = _with_bot()
    table.act(0, Roll())
    assert play.waiting_bots(table.game) == (1,)
    assert table.refusal(play.act_for_bot, 0, Request(Pass())) == "not_seated"
    assert types(table.do(play.act_for_bot, 1, Request(Pass()))) == ["answer_sealed"]
    assert play.waiting_bots(table.game) == ()


def test_an_answer_of_a_bot_is_refused_outside_play() -> None:
    table = Table(seats=3, bots=["easy"])
    assert table.refusal(play.act_for_bot, 1, Request(Pass())) == "wrong_phase"
    table.do(play.abort, "abandoned")
    assert table.refusal(play.act_for_bot, 1, Request(Pass())) == "game_over"


def _outage(table: Table, seconds: float) -> Outage:
    """It begins as soon as the open phase has."""
    began = moment_of(table.game.at) + timedelta(seconds=1)
    return Outage(stamp(began), stamp(began + timedelta(seconds=seconds)))


def test_an_outage_is_credited_once_and_rounded_up() -> None:
    table = started("qwixx", 2)
    outage, before = _outage(table, 6.2), moment_of(table.game.deadline or "")
    assert play.outages_to_credit(table.game, [outage]) == (outage,)
    (credit,) = table.do(play.credit_outages, [outage])
    assert credit.data["seconds"] == 7
    assert moment_of(table.game.deadline or "") == before + timedelta(seconds=7)
    assert play.outages_to_credit(table.game, [outage]) == ()
    assert table.do(play.credit_outages, [outage]) == ()


def test_no_time_is_credited_for_an_outage_before_the_phase_or_without_a_clock() -> None:
    table = started("qwixx", 2)
    long_ago = Outage("2020-01-01T00:00:00.000000Z", "2020-01-01T00:01:00.000000Z")
    assert play.outages_to_credit(table.game, [long_ago]) == ()
    timeless = started("qwixx", 2, clock=None, visibility="private")
    assert play.outages_to_credit(timeless.game, [_outage(timeless, 60)]) == ()


def test_a_player_of_an_open_game_may_invite_a_player_who_is_not_in_it() -> None:
    table = Table(seats=3)
    table.join(BEN)
    lobby.check_invitation(table.game, BEN, CAT)
    for player, invited, code in ((CAT, "dan", "not_seated"), (ANN, BEN, "already_seated")):
        with pytest.raises(Refused) as refused:
            lobby.check_invitation(table.game, player, invited)
        assert refused.value.code == code
    table.do(lobby.start, ANN)
    with pytest.raises(Refused, match="game_not_open"):
        lobby.check_invitation(table.game, ANN, CAT)
    table.do(play.abort, "staff")
    with pytest.raises(Refused, match="game_over"):
        lobby.check_invitation(table.game, ANN, CAT)


def test_a_bot_cannot_join_a_rated_game_with_other_players() -> None:
    table = Table(seats=3, rated=True)
    table.join(BEN)
    assert table.refusal(lobby.seat_bot, ANN, "easy") == "bots_unavailable"
