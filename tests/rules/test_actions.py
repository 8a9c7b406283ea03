"""Reading actions from JSON: valid forms, and the errors of invalid ones."""

from typing import Any

import pytest

from games.rules.actions import ACTIONS, Keep, Mark, Pass, Request, Reroll, Resign, Return, Roll, Write, read, to_wire
from games.rules.refused import Refused


def _errors(raw: object) -> list[tuple[str, str, str]]:
    with pytest.raises(Refused) as refused:
        read(raw)
    assert refused.value.code == "malformed"
    errors = refused.value.data["errors"]
    assert isinstance(errors, list)
    return errors


def _pointers(raw: object) -> list[str]:
    return [pointer for pointer, *_ in _errors(raw)]


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ({"type": "roll"}, Roll()),
        ({"type": "roll", "dice": ["yellow", "purple"]}, Roll(("yellow", "purple"))),
        ({"type": "mark", "row": "red", "number": 5}, Mark("red", 5)),
        ({"type": "write", "row": "yellow", "column": 3}, Write("yellow", 3)),
        ({"type": "pass"}, Pass()),
        ({"type": "keep"}, Keep()),
        ({"type": "reroll"}, Reroll()),
        ({"type": "resign"}, Resign()),
        ({"type": "return"}, Return()),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_every_action_has_one_wire_form(raw: dict[str, Any], action: Any) -> None:
    assert read(raw) == Request(action, None, None)
    assert to_wire(action) == raw


def test_every_action_has_a_name() -> None:
    assert set(ACTIONS) == {"roll", "mark", "write", "pass", "keep", "reroll", "resign", "return"}


def test_an_action_may_say_which_roll_and_phase_it_answers() -> None:
    assert read({"type": "pass", "roll": 7, "phase": "white"}) == Request(Pass(), 7, "white")
    assert read({"type": "pass", "roll": None, "phase": None}) == Request(Pass(), None, None)


def test_unknown_fields_of_an_action_are_ignored() -> None:
    assert read({"type": "pass", "row": "red", "colour": "x"}) == Request(Pass())


@pytest.mark.parametrize("raw", [None, 5, "pass", ["pass"], True])
def test_an_action_is_an_object(raw: object) -> None:
    assert _errors(raw) == [("", "wrong_type", "an object")]


@pytest.mark.parametrize("raw", [{}, {"type": "fly"}, {"type": None}, {"type": 5}, {"type": ["pass"]}])
def test_an_unknown_action_type_is_refused_with_the_known_types(raw: dict[str, Any]) -> None:
    code = "missing" if not raw else "not_one_of" if raw["type"] == "fly" else "wrong_type"
    assert _errors(raw) == [("/type", code, "one of roll, mark, write, pass, keep, reroll, resign, return")]


def test_a_malformed_action_is_refused_with_all_errors() -> None:
    raw = {"type": "mark", "row": 5, "number": "5", "roll": "7", "phase": 1}
    assert _errors(raw) == [
        ("/row", "wrong_type", "a text"),
        ("/number", "wrong_type", "a whole number"),
        ("/roll", "wrong_type", "a whole number"),
        ("/phase", "wrong_type", "a text"),
    ]


def test_missing_fields_of_an_action_are_named() -> None:
    assert _pointers({"type": "mark"}) == ["/row", "/number"]
    assert _pointers({"type": "write", "row": "red"}) == ["/column"]


@pytest.mark.parametrize("number", [True, 5.0, "5", None, [5]])
def test_only_a_whole_number_is_a_number(number: object) -> None:
    assert _pointers({"type": "mark", "row": "red", "number": number}) == ["/number"]
    assert _pointers({"type": "write", "row": "red", "column": number}) == ["/column"]


@pytest.mark.parametrize("roll", [True, 7.0, "7", [7]])
def test_only_a_whole_number_is_a_roll(roll: object) -> None:
    assert _pointers({"type": "pass", "roll": roll}) == ["/roll"]


@pytest.mark.parametrize("dice", ["yellow", None, {"yellow": 1}, ["yellow", 3], [None]])
def test_dice_are_a_list_of_texts(dice: object) -> None:
    assert _errors({"type": "roll", "dice": dice}) == [("/dice", "wrong_type", "a list of texts")]


def test_an_empty_list_of_dice_can_be_read() -> None:
    assert read({"type": "roll", "dice": []}) == Request(Roll())
