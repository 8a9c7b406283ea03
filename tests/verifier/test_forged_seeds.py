"""Both verifiers find a start that did not wait, waited wrongly, or used other seeds than the log holds."""

from collections.abc import Callable
from typing import Any

import pytest

from games.game.decisions import interventions, lobby
from games.game.decisions.game_settings import Settings
from games.game.dice import DiceSource, mix
from games.game.events import moment_of, stamp
from tests.builders import ANN, BEN, GAME, GameDriver, started
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import Line, chained_again, export, read, written

Forge = Callable[[list[Line]], int]  # changes a log, and returns the version at which it is found


def _ended(driver: GameDriver) -> list[Line]:
    driver.do(interventions.abort, "staff")
    return read(export(driver))


def _given() -> list[Line]:
    """Ann and Ben have announced seeds; Ann sends hers, and the time of Ben's runs out."""
    driver = GameDriver(client_seed="early", late_seed=True)
    driver.join(BEN, late_seed=True)
    driver.do(lobby.give_seed, ANN, "late")
    driver.time_out()
    return _ended(driver)


def _place(lines: list[Line], type_: str) -> int:
    return next(place for place, line in enumerate(lines) if line.get("type") == type_)


def _later(at: str, seconds: float) -> str:
    return stamp(moment_of(at).replace(microsecond=int(seconds * 1_000_000) % 1_000_000))


def a_start_with_the_last_seat(lines: list[Line]) -> int:
    """Only the creator starts without announced seeds, and with a command of their own."""
    place = _place(lines, "seed_given")
    del lines[place : place + 2]
    for line in lines[place : place + 2]:
        line["at"] = lines[place - 1]["at"]
    return place


def a_shorter_wait(lines: list[Line]) -> int:
    place = _place(lines, "seed_given") - 1
    lines[place]["data"]["deadline"] = lines[place]["at"]
    return place


def no_deadline(lines: list[Line]) -> int:
    place = _place(lines, "seed_given") - 1
    del lines[place]["data"]["deadline"]
    return place


def an_end_of_the_wait_before_its_deadline(lines: list[Line]) -> int:
    place = _place(lines, "time_ran_out")
    for line in lines[place:]:
        line["at"] = _later(lines[place - 1]["at"], 0.5)
    return place


def a_wait_for_no_seat(lines: list[Line]) -> int:
    place = _place(lines, "time_ran_out")
    lines[place]["data"]["seats"] = []
    return place


def a_seed_after_the_wait(lines: list[Line]) -> int:
    place = _place(lines, "seed_given")
    lines[place]["at"] = lines[place + 1]["at"]
    return place


def a_seed_of_a_seat_that_is_not_taken(lines: list[Line]) -> int:
    place = _place(lines, "seed_given")
    lines[place]["data"]["seat"] = 4
    return place


def a_seed_that_is_repeated(lines: list[Line]) -> int:
    place = _place(lines, "seed_given")
    lines.insert(place + 1, {**lines[place], "at": _later(lines[place]["at"], 0.5)})
    return place + 1


def another_late_seed(lines: list[Line]) -> int:
    lines[_place(lines, "seed_given")]["data"]["client_seed"] = "other"
    return _place(lines, "game_started")


def a_seed_that_was_dropped(lines: list[Line]) -> int:
    place = _place(lines, "seed_given")
    del lines[place]
    return place  # the seats that the log waited for are wrong then


def no_announcement(lines: list[Line]) -> int:
    """Without it the game had to start at once."""
    for line in lines[1:]:
        line["data"].pop("late_seed", None)
    return _place(lines, "seed_given") - 1


def an_announcement_that_is_false(lines: list[Line]) -> int:
    lines[2]["data"]["late_seed"] = False
    return 2


FORGERIES: list[Forge] = [
    a_start_with_the_last_seat,
    a_shorter_wait,
    no_deadline,
    an_end_of_the_wait_before_its_deadline,
    a_wait_for_no_seat,
    a_seed_after_the_wait,
    a_seed_of_a_seat_that_is_not_taken,
    a_seed_that_is_repeated,
    another_late_seed,
    a_seed_that_was_dropped,
    no_announcement,
    an_announcement_that_is_false,
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_wait_with_recomputed_hashes_is_found(forge: Forge, verifiers: BothVerifiers) -> None:
    lines = _given()
    assert verifiers.report(written(lines))["ok"]
    version = forge(lines)
    assert verifiers.bad_version(written(chained_again(lines))) == version


def test_a_seed_during_play_is_found(verifiers: BothVerifiers) -> None:
    lines = _ended(started())
    seed = {"seat": 0, "client_seed": "x"}
    lines.insert(-1, {**lines[-1], "type": "seed_given", "data": seed})
    report = verifiers.report(written(chained_again(lines)))
    assert report["bad"]["why"] == "no seed can be given now"


def test_a_seed_or_an_announcement_of_a_bot_is_found(verifiers: BothVerifiers) -> None:
    driver = GameDriver(seats=3, bots=("easy",))
    for change in ({"late_seed": True}, {"client_seed": "bot"}):
        lines = _ended_copy(driver)
        lines[3]["data"] |= change
        assert verifiers.report(written(chained_again(lines)))["bad"]["why"] == "a bot has no client seed"
    lines = _ended_copy(driver)
    given = {**lines[3], "type": "seed_given", "data": {"seat": 1, "client_seed": "x"}, "at": lines[4]["at"]}
    lines.insert(4, given)
    assert verifiers.report(written(chained_again(lines)))["bad"]["why"] == "only a seated player gives a seed"


def _ended_copy(driver: GameDriver) -> list[Line]:
    copy = GameDriver(seats=driver.game.setup.seats, bots=("easy",))
    return _ended(copy)


def _match(seed: str | None) -> list[Line]:
    """The log of a match, in which the operator may have put a seed of their own choice under a player's name."""
    driver = GameDriver()
    driver.log.clear()
    driver.keep(lobby.create_with_players(GAME, Settings("qwixx"), (ANN, BEN), driver.moment))
    lines = _ended(driver)
    if seed is not None:
        lines[3]["data"]["client_seed"] = seed
        seeds = [lines[place]["data"]["client_seed"] for place in (2, 3)]
        dice = DiceSource(driver.secret, GAME, mix(seeds))
        start: dict[str, Any] = lines[4]["data"]
        start |= {"entropy": dice.entropy, "first": dice.first(2)}
        lines[5]["data"]["seat"] = start["first"]
    return chained_again(lines)


def test_players_of_a_match_have_the_default_seeds_unless_they_gave_others_to_the_game(
    verifiers: BothVerifiers,
) -> None:
    report = verifiers.report(written(_match(None)))
    assert report["ok"]
    assert report["client_seeds"] == [{"seat": 0, "seed": "default"}, {"seat": 1, "seed": "default"}]
    report = verifiers.report(written(_match("chosen-by-the-server")))
    assert report["bad"] == {
        "version": 3,
        "check": "dice",
        "why": "the players of a match have default seeds at first",
    }


def test_the_seeds_of_an_unknown_sheet_are_checked(verifiers: BothVerifiers) -> None:
    lines = _given()
    lines[0]["sheet"] = lines[1]["data"]["sheet"] = "of_tomorrow"
    report = verifiers.report(written(chained_again(lines)))
    assert (report["ok"], report["checks"]["rules"]) == (True, "not checked")
    assert report["client_seeds"] == [{"seat": 0, "seed": "late"}, {"seat": 1, "seed": "default"}]
    lines[_place(lines, "seed_given")]["data"]["client_seed"] = "other"
    version = _place(lines, "game_started")
    assert verifiers.bad_version(written(chained_again(lines))) == version
