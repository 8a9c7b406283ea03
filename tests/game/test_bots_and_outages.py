"""Answers of bots, credits for outages, and invitations."""

from datetime import timedelta

import pytest

from games.game.decisions import expiry, game_settings, interventions, lobby, play
from games.game.decisions.expiry import OutagePeriod
from games.game.events import moment_of, stamp
from games.rules.actions import Pass, Request, Roll
from games.rules.refused import Refused
from tests.builders import ANN, BEN, CAT, GameDriver, loaded, started, types


def _with_bot() -> GameDriver:
    """A person in seat 0, who begins, and a bot."""
    return GameDriver(dice_source=loaded(first=0), bots=["easy"])


def test_a_bot_answers_for_its_own_seat_only() -> None:
    driver = _with_bot()
    driver.act(0, Roll())
    assert play.waiting_bots(driver.game) == (1,)
    assert driver.refusal(play.act_for_bot, 0, Request(Pass())) == "not_seated"
    assert types(driver.do(play.act_for_bot, 1, Request(Pass()))) == ["answer_sealed"]
    assert play.waiting_bots(driver.game) == ()


def test_an_answer_of_a_bot_is_refused_outside_play() -> None:
    driver = GameDriver(seats=3, bots=["easy"])
    assert driver.refusal(play.act_for_bot, 1, Request(Pass())) == "wrong_phase"
    driver.do(interventions.abort, "abandoned")
    assert driver.refusal(play.act_for_bot, 1, Request(Pass())) == "game_over"


def _outage(driver: GameDriver, seconds: float) -> OutagePeriod:
    """It begins as soon as the open phase has."""
    began = moment_of(driver.game.at) + timedelta(seconds=1)
    return OutagePeriod(stamp(began), stamp(began + timedelta(seconds=seconds)))


def test_an_outage_is_credited_once_and_rounded_up() -> None:
    driver = started("qwixx", 2)
    outage, before = _outage(driver, 6.2), moment_of(driver.game.deadline or "")
    assert expiry.outages_to_credit(driver.game, [outage]) == (outage,)
    (credit,) = driver.do(expiry.credit_outages, [outage])
    assert credit.data["seconds"] == 7
    assert moment_of(driver.game.deadline or "") == before + timedelta(seconds=7)
    assert expiry.outages_to_credit(driver.game, [outage]) == ()
    assert driver.do(expiry.credit_outages, [outage]) == ()


def test_no_time_is_credited_for_an_outage_before_the_phase_or_without_a_clock() -> None:
    driver = started("qwixx", 2)
    long_ago = OutagePeriod("2020-01-01T00:00:00.000000Z", "2020-01-01T00:01:00.000000Z")
    assert expiry.outages_to_credit(driver.game, [long_ago]) == ()
    timeless = started("qwixx", 2, clock=None, visibility="private")
    assert expiry.outages_to_credit(timeless.game, [_outage(timeless, 60)]) == ()


def test_a_player_of_an_open_game_may_invite_a_player_who_is_not_in_it() -> None:
    driver = GameDriver(seats=3)
    driver.join(BEN)
    lobby.check_invitation(driver.game, BEN, CAT)
    for player, invited, code in ((CAT, "dan", "not_seated"), (ANN, BEN, "already_seated")):
        with pytest.raises(Refused) as refused:
            lobby.check_invitation(driver.game, player, invited)
        assert refused.value.code == code
    driver.do(lobby.start, ANN)
    with pytest.raises(Refused, match="game_not_open"):
        lobby.check_invitation(driver.game, ANN, CAT)
    driver.do(interventions.abort, "staff")
    with pytest.raises(Refused, match="game_over"):
        lobby.check_invitation(driver.game, ANN, CAT)


def test_a_rated_game_takes_no_bot() -> None:
    driver = GameDriver(seats=3, rated=True)
    assert driver.refusal(lobby.seat_bot, BEN, "easy") == "not_seated"  # said before the rule
    assert driver.refusal(lobby.seat_bot, ANN, "easy") == "rated_needs_people"
    driver.join(BEN)
    assert driver.refusal(lobby.seat_bot, ANN, "easy") == "rated_needs_people"
    with pytest.raises(Refused, match="rated_needs_people"):
        game_settings.check(game_settings.Settings("qwixx", rated=True, bots=["easy"]), None)
