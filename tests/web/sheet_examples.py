"""The examples of the rules page: `python -m tests.web.sheet_examples` writes what the rules make of a few marks."""

import json
from random import Random
from typing import Any

from games.rules.actions import PASS, Mark
from games.rules.qwixx import QWIXX, WHITE, QwixxState
from games.web.build import FOLDER
from tests.rules.sheet_cases import RandomDice

FILE = FOLDER / "examples.json"
# The marks of each example: row, number, and the white sum where it is another number.
MARKS: dict[str, list[tuple[Any, ...]]] = {
    "mixx_a": [("red", 3), ("red", 6), ("yellow", 5), ("green", 9), ("blue", 9), ("blue", 7)],
    "mixx_b": [("red", 6), ("red", 2), ("red", 12), ("yellow", 4), ("green", 9), ("blue", 11), ("blue", 3)],
    "big_points": [("red", 3), ("red_yellow", 3), ("yellow", 6), ("red_yellow", 6), ("green", 9), ("blue", 8)],
    "bonus_a": [("red", 3), ("yellow", 4), ("yellow", 8), ("green", 9)],
    "bonus_b": [("red", 6), ("yellow", 7), ("green", 10), ("blue", 8), ("blue", 7), ("blue", 4)],
    "double_a": [("red", 3), ("red", 3), ("red", 5), ("yellow", 6), ("green", 9), ("green", 9)],
    "double_b": [("red", 3), ("red", 4), ("yellow", 5), ("green", 10), ("blue", 8), ("blue", 7)],
    "x_change": [("red", 5, 8), ("yellow", 6), ("green", 11, 3), ("blue", 9)],
    "connected_a_steps": [("yellow", 2), ("green", 11), ("blue", 10), ("red", 4), ("red", 7)],
    "connected_b_chain": [("red", 6), ("green", 9), ("yellow", 8)],
}


def after(state: QwixxState, row: str, number: int, white_sum: int | None = None) -> QwixxState:
    """The state after seat 0 marked this number with the white dice."""
    first = min(6, (white_sum or number) - 1)
    dice = {"white": [first, (white_sum or number) - first]}
    state = state._replace(phase=WHITE, dice=dice)
    assert Mark(row, number) in QWIXX.options(state, 0)
    for fact in QWIXX.decide(state, {0: Mark(row, number), 1: PASS}, RandomDice(Random(0))):
        state = QWIXX.evolve(state, fact)
    return state


def example(sheet: str) -> dict[str, Any]:
    """The sheet of seat 0 after these marks, as a client gets it."""
    state = QWIXX.opening(sheet, 2)
    for mark in MARKS[sheet]:
        state = after(state, *mark)
    shown: dict[str, Any] = json.loads(json.dumps(QWIXX.sheet_view(state, 0)))
    return shown


def text() -> str:
    """The file: a line for each sheet."""
    lines = [f" {json.dumps(sheet)}: {json.dumps(example(sheet))}" for sheet in MARKS]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text())
