"""The sheets that the rules page shows as examples: every one is what the rules make of a few allowed marks."""

import json
from random import Random
from typing import Any

import pytest

from games.rules.actions import PASS, Mark
from games.rules.qwixx import QWIXX, WHITE, QwixxState
from games.web.build import FOLDER
from tests.rules.sheet_cases import RandomDice
from tests.web.test_texts import LANGUAGES, catalogue

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
    state = QWIXX.opening(sheet, 2)
    for mark in MARKS[sheet]:
        state = after(state, *mark)
    shown: dict[str, Any] = json.loads(json.dumps(QWIXX.sheet_view(state, 0)))
    return shown


def test_every_example_is_what_its_marks_lead_to() -> None:
    assert json.loads((FOLDER / "examples.json").read_text()) == {sheet: example(sheet) for sheet in MARKS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_but_the_first_has_a_chapter_with_its_name_and_an_example(language: str) -> None:
    names = catalogue(language)
    chapters = [chapter for chapter in catalogue(f"rules.{language}")[QWIXX.key] if "sheet" in chapter]
    assert [chapter["sheet"] for chapter in chapters] == [*QWIXX.sheets[1:]] == [*MARKS]
    assert [chapter["title"] for chapter in chapters] == [names[f"sheet_name.{sheet}"] for sheet in MARKS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_extra_effect_and_row_of_a_sheet_has_a_text(language: str) -> None:
    texts = catalogue(language)
    sheets = QWIXX.description()["sheets"]
    extras = [extra for sheet in sheets for extra in sheet["extras"]]
    wanted = {f"clause.{extra['key']}" for extra in extras}
    wanted |= {f"effect.{effect}" for extra in extras for effect in extra.get("effects", ())}
    wanted |= {f"colour.{row['key']}" for sheet in sheets for row in sheet["rows"]}
    wanted |= {f"sheet_about.{sheet['key']}" for sheet in sheets[1:] if not sheet["extras"]}
    assert wanted - set(texts) == set()
