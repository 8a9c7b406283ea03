"""Both verifiers refuse more than twenty kinds of tampering in a game of every sheet, with all hashes recomputed."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.game.decisions import play
from games.rules.actions import Mark, Write
from tests.builders import GameDriver, started
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import Line, chained_again, export, read, written
from verifier.verify import RULES

MARKS = ("cell_marked", "number_written")
PENALTIES = ("penalty_taken", "throw_failed")
Tamper = Callable[[list[Line]], Any]


def played(ruleset: str, sheet: str, rng: Random) -> GameDriver:
    driver = started(ruleset, 2, sheet=sheet, secret=rng.randbytes(32))
    while not driver.game.is_over:
        seat = driver.game.waiting_for()[0]
        options = play.options(driver.game, seat)
        marks = [option for option in options if isinstance(option, Mark | Write)]
        driver.act(seat, rng.choice(marks if marks and rng.random() < 0.8 else options))
    return driver


@cache
def whole_game(ruleset: str, sheet: str) -> bytes:
    """A game with a penalty and, where the sheet has notes, a note, so that there is one to be removed."""
    rng, notes = Random(sheet), {"note_made"} if "no note" in OF_SHEETS.get(sheet, {}) else set()
    while True:
        driver = played(ruleset, sheet, rng)
        types = {event.type for event in driver.log}
        if types & {*PENALTIES} and notes <= types:
            return export(driver)


def the(lines: list[Line], *types: str) -> Line:
    """The event in the middle of those of these types."""
    found = [line for line in lines[1:] if line["type"] in types]
    return found[len(found) // 2]


def without(*types: str) -> Tamper:
    return lambda lines: lines.remove(the(lines, *types))


def twice(*types: str) -> Tamper:
    return lambda lines: lines.insert(lines.index(the(lines, *types)), the(lines, *types))


def other(name: str, *types: str) -> Tamper:
    """Another value: the other seat, a number that cannot be, or another text."""

    def tamper(lines: list[Line]) -> None:
        data = the(lines, *types)["data"]
        old = data[name]
        data[name] = 1 - old if name in ("seat", "first") else old + 20 if isinstance(old, int) else f"{old[:-1]}?"

    return tamper


def another_sheet(lines: list[Line]) -> None:
    created = lines[1]["data"]
    lines[0]["sheet"] = created["sheet"] = "mixx_a" if created["sheet"] != "mixx_a" else "mixx_b"
    lines[0]["ruleset"] = created["ruleset"] = "qwixx"


def another_die(lines: list[Line]) -> None:
    dice = the(lines, "dice_rolled")["data"]["dice"]
    colour = sorted(dice)[0]
    dice[colour] = [face % 6 + 1 for face in dice[colour]]


def one_die_more(lines: list[Line]) -> None:
    the(lines, "dice_rolled")["data"]["dice"]["pink"] = [3]


def one_die_less(lines: list[Line]) -> None:
    the(lines, "dice_rolled")["data"]["dice"].popitem()


def another_printing(lines: list[Line]) -> None:
    """Printings that were not drawn, or printings of a sheet that has only one."""
    data = the(lines, "game_started")["data"]
    data["printings"] = data["printings"][::-1] if "printings" in data else ["A", "B"]


def a_score_more(lines: list[Line]) -> None:
    the(lines, "game_ended")["data"]["ranking"][0]["points"] += 1


def another_winner(lines: list[Line]) -> None:
    for place in the(lines, "game_ended")["data"]["ranking"]:
        place["seat"] = 1 - place["seat"]


def an_answer(lines: list[Line]) -> Line:
    closed = [line["data"]["answers"] for line in lines[1:] if line["type"] == "phase_closed"]
    first: Line = next(answers[0] for answers in closed if answers)
    return first


def another_answer(lines: list[Line]) -> None:
    answer = an_answer(lines)
    answer["action"] = {"type": "pass"} if answer["action"]["type"] != "pass" else {"type": "keep"}


def another_nonce(lines: list[Line]) -> None:
    an_answer(lines)["nonce"] = "f" * 32


def seats_exchanged(lines: list[Line]) -> None:
    the(lines, "game_started")["data"]["seats"].reverse()


def a_seed_that_was_not_promised(lines: list[Line]) -> None:
    the(lines, "game_ended")["data"]["server_seed"] = "00" * 32


def a_promise_for_another_seed(lines: list[Line]) -> None:
    lines[1]["data"]["commitment"] = "00" * 32


def a_row_in_the_wrong_colour(lines: list[Line]) -> None:
    the(lines, *MARKS)["data"]["row"] = "pink"


def no_forced_mark(lines: list[Line]) -> None:
    """Forced marks follow the note or the mark of the same seat."""
    follows = ("note_made", "cell_marked")
    pairs = [(before, line) for before, line in pairwise(lines[1:]) if line["type"] == "cell_marked"]
    forced = [line for before, line in pairs if before["type"] in follows and _seat(before) == _seat(line)]
    lines.remove(forced[0])


def _seat(line: Line) -> int:
    return int(line["data"]["seat"])


def an_early_end(lines: list[Line]) -> None:
    del lines[len(lines) // 2 : -1]


TAMPERINGS: dict[str, Tamper] = {
    "another sheet": another_sheet,
    "another printing": another_printing,
    "another die": another_die,
    "one die more": one_die_more,
    "one die less": one_die_less,
    "another number of a roll": other("roll", "dice_rolled"),
    "no roll": without("dice_rolled"),
    "no mark": without(*MARKS),
    "a mark twice": twice(*MARKS),
    "a mark of another seat": other("seat", *MARKS),
    "a mark of a number that was not rolled": other("number", *MARKS),
    "a mark in a row that is not printed": a_row_in_the_wrong_colour,
    "no penalty": without(*PENALTIES),
    "a penalty twice": twice(*PENALTIES),
    "a penalty of another seat": other("seat", *PENALTIES),
    "another answer": another_answer,
    "another nonce": another_nonce,
    "no sealed answer": without("answer_sealed"),
    "a turn of another seat": other("seat", "turn_started"),
    "no turn": without("turn_started"),
    "another first seat": other("first", "game_started"),
    "other entropy": other("entropy", "game_started"),
    "seats exchanged": seats_exchanged,
    "a seed that was not promised": a_seed_that_was_not_promised,
    "a promise for another seed": a_promise_for_another_seed,
    "a point more": a_score_more,
    "another winner": another_winner,
    "an early end": an_early_end,
    "no end": without("game_ended"),
}
NOTES: dict[str, Tamper] = {
    "no note": without("note_made"),
    "another note": other("note", "note_made"),
    "a note of another seat": other("seat", "note_made"),
    "a note of another clause": other("clause", "note_made"),
}
# On sheets with these extras, the following kinds as well.
OF_SHEETS: dict[str, dict[str, Tamper]] = {
    "bonus_a": {**NOTES, "no forced mark": no_forced_mark},
    "bonus_b": NOTES,
    "double_a": NOTES,
    "x_change": NOTES,
    "connected_b_chain": {"no forced mark": no_forced_mark},
}


@pytest.mark.parametrize(("ruleset", "sheet"), RULES)
def test_tampering_of_every_kind_is_refused_on_every_sheet(ruleset: str, sheet: str, verifiers: BothVerifiers) -> None:
    export_of_all = whole_game(ruleset, sheet)
    assert verifiers.report(export_of_all)["ok"]
    for name, tamper in {**TAMPERINGS, **OF_SHEETS.get(sheet, {})}.items():
        lines = read(export_of_all)
        tamper(lines)
        assert not verifiers.report(written(chained_again(lines)))["ok"], name
