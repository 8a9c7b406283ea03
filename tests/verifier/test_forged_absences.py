"""Both verifiers find forged absences: a turn without its box, a box too many, a last box by absence."""

from collections.abc import Callable

import pytest

from games.rules.actions import Action, Keep, Pass, Roll
from tests.builders import GameDriver, started
from tests.golden.make import HERE
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import Line, chained_again, export, read, written

BOX = {"qwixx": "penalty_taken", "qwinto": "throw_failed"}
ROLL = {"qwixx": Roll(), "qwinto": Roll(("orange", "yellow", "purple"))}
both_games = pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])


def _answer(driver: GameDriver, seat: int, *, may_fail: bool) -> Action:
    """The first option, which marks where a mark is allowed, or a pass."""
    if driver.phase == "roll":
        return ROLL[driver.game.setup.ruleset]
    if driver.phase == "keep":
        return Keep()
    return Pass() if may_fail else driver.game.ruleset.options(driver.game.position, seat)[0]


def _with_absence(ruleset: str) -> list[Line]:
    """The export of a game of three in which the last seat went away and was resigned in place of its last box."""
    driver = started(ruleset, 3)
    while not driver.game.is_over:
        able = [seat for seat in driver.game.waiting_for() if seat != 2]
        if able:
            is_left = driver.state(2) == "resigned"
            driver.act(able[0], _answer(driver, able[0], may_fail=is_left))
        else:
            driver.time_out()
    return read(export(driver))


def _absent_turns(lines: list[Line]) -> list[int]:
    """The places of events that start a turn of seat 2 while it is away."""
    away = next(place for place, line in enumerate(lines) if line.get("type") == "seat_went_away")
    return [
        place
        for place, line in enumerate(lines)
        if place > away and line["type"] == "turn_started" and line["data"]["seat"] == 2
    ]


Forge = Callable[[list[Line], str], int]  # changes a log, and returns the version at which it is found


def no_box(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0] + 1
    del lines[place]
    return place


def no_turn(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0]
    del lines[place : place + 2]
    return place


def two_boxes(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0] + 1
    lines.insert(place, {**lines[place]})
    return place + 1


def box_of_another_seat(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0] + 1
    lines[place]["data"]["seat"] = 0
    return place


def last_box_by_absence(lines: list[Line], box: str) -> int:
    place = next(place for place, line in enumerate(lines) if line.get("type") == "seat_resigned")
    lines[place] = {**lines[place], "type": box}
    return place


def early_resignation(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0] + 1
    lines[place] = {**lines[place], "type": "seat_resigned"}
    return place


def dice_for_an_absent_seat(lines: list[Line], _box: str) -> int:
    place = _absent_turns(lines)[0] + 1
    rolled = next(line for line in lines[place:] if line["type"] == "dice_rolled")
    lines[place] = {**rolled, "at": lines[place]["at"], "data": {**rolled["data"], "seat": 2}}
    return place


FORGERIES: list[Forge] = [
    no_box,
    no_turn,
    two_boxes,
    box_of_another_seat,
    last_box_by_absence,
    early_resignation,
    dice_for_an_absent_seat,
]


@both_games
def test_a_game_with_absent_turns_and_a_resignation_by_absence_is_valid(ruleset: str, verifiers: BothVerifiers) -> None:
    lines = _with_absence(ruleset)
    report = verifiers.report(written(lines))
    assert (report["ok"], report["bad"]) == (True, None)
    following = [lines[place + 1]["type"] for place in _absent_turns(lines)]
    assert set(following) == {BOX[ruleset], "seat_resigned"}


@both_games
@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_absence_with_recomputed_hashes_is_found(forge: Forge, ruleset: str, verifiers: BothVerifiers) -> None:
    lines = _with_absence(ruleset)
    version = forge(lines, BOX[ruleset])
    assert verifiers.bad_version(written(chained_again(lines))) == version


def test_a_log_that_skips_the_turns_of_an_away_seat_is_found(verifiers: BothVerifiers) -> None:
    lines = read((HERE / "earlier" / "skipped-turns.ndjson").read_bytes())
    away = next(line for line in lines if line.get("type") == "seat_went_away")
    turns = [line for line in lines if line.get("type") == "turn_started" and line["version"] > away["version"]]
    assert [turn["data"]["seat"] for turn in turns[:3]] == [0, 1, 0], "the turn of seat 2 is skipped"
    assert verifiers.bad_version(written(lines)) == turns[2]["version"]
