"""What the page computes for display from the view and the events of the server."""

from typing import Any

from tests.web.modules import results

DICE = {"white": [3, 4], "red": [2], "yellow": [5], "green": [6], "blue": [1]}


def event(version: int, kind: str, **data: Any) -> dict[str, Any]:
    return {"version": version, "type": kind, "data": data}


EVENTS = [
    event(4, "game_started"),
    event(5, "turn_started", seat=0, turn=1),
    event(6, "cell_marked", seat=0, row="red", number=5),
    event(7, "cell_marked", seat=1, row="blue", number=5),
    event(8, "turn_started", seat=1, turn=2),
    event(9, "cell_marked", seat=0, row="red", number=7),
    event(10, "cell_marked", seat=0, row="green", number=9),
    event(11, "row_closed", row="red", seats=[0, 1]),
    event(12, "turn_started", seat=0, turn=3),
]


def faces(found: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(die["colour"], die["face"]) for die in found]


def test_last_marks_of_a_seat_stay_until_it_marks_again() -> None:
    ann, bob, third = results("history.js", *(("lastMarks", EVENTS, seat) for seat in range(3)))
    assert [mark["number"] for mark in ann] == [9, 7]
    assert [(mark["row"], mark["number"]) for mark in bob] == [("blue", 5)]
    assert third == []


def test_events_are_grouped_by_turn() -> None:
    (turns,) = results("history.js", ("turnsOf", EVENTS))
    assert [(turn["number"], turn["seat"], len(turn["events"])) for turn in turns] == [
        (0, None, 1),
        (1, 0, 2),
        (2, 1, 3),
        (3, 0, 0),
    ]


def test_older_events_are_joined_without_repeats() -> None:
    (events,) = results("history.js", ("joined", EVENTS[:5], EVENTS[3:]))
    assert [each["version"] for each in events] == [each["version"] for each in EVENTS]


def test_the_seats_whose_move_ended_the_game_are_named() -> None:
    sheet = {"penalties": {"boxes": 4}, "rows": [{"key": "red", "cells": [1, 2]}, {"key": "blue", "cells": [1]}]}
    pads = [
        {"seat": 0, "penalties": 4, "rows": {}},
        {"seat": 1, "penalties": 1, "rows": {"red": {1: 2, 2: 3}, "blue": {1: 9}}},
    ]
    seats = [{"seat": 0, "state": "playing"}, {"seat": 1, "state": "resigned"}]
    reasons = ("two_rows_closed", "four_penalties", "two_rows_filled", "last_seat_standing", "new_reason")
    views = [{"result": {"reason": reason}, "sheets": pads, "seats": seats} for reason in reasons]
    found = results("history.js", *(("endedBy", view, EVENTS, sheet) for view in views))
    assert dict(zip(reasons, found, strict=True)) == {
        "two_rows_closed": [0, 1],
        "four_penalties": [0],
        "two_rows_filled": [1],
        "last_seat_standing": [1],
        "new_reason": [],
    }


def test_the_white_dice_make_the_number_that_all_may_use() -> None:
    turn = {"phase": "white", "dice": DICE}
    (found,) = results("dice-sums.js", ("diceFor", {"number": 7}, turn, ["red"]))
    assert faces(found) == [("white", 3), ("white", 4)]


def test_a_coloured_die_of_the_row_and_a_white_one_make_the_number_of_the_second_action() -> None:
    turn = {"phase": "colour", "dice": DICE}
    red, blue, impossible = results(
        "dice-sums.js",
        ("diceFor", {"number": 5}, turn, ["red"]),
        ("diceFor", {"number": 5}, turn, ["blue"]),
        ("diceFor", {"number": 12}, turn, ["red"]),
    )
    assert faces(red) == [("white", 3), ("red", 2)]
    assert faces(blue) == [("white", 4), ("blue", 1)]
    assert impossible == []


def test_without_white_dice_all_dice_make_the_number() -> None:
    dice = {"orange": [4], "purple": [5]}
    found, total, none = results(
        "dice-sums.js", ("diceFor", {"column": 3}, {"phase": "write", "dice": dice}), ("sumOf", dice), ("sumOf", None)
    )
    assert (faces(found), total, none) == ([("orange", 4), ("purple", 5)], 9, None)


def test_keys_of_the_table_are_read_outside_of_fields() -> None:
    calls: list[tuple[Any, ...]] = [("keyOf", {"key": key, "target": {}}) for key in ("r", "P", "3", "?", "x")]
    assert results("keys.js", *calls, ("keyOf", {"key": "r", "ctrlKey": True, "target": {}})) == [
        "roll",
        "pass",
        2,
        "help",
        None,
        None,
    ]


def test_arrow_keys_lead_to_the_nearest_lit_cell() -> None:
    lit = [[0, 2], [0, 7], [2, 6], [2, 8], [3, 2]]
    steps = [([0, 2], "Right"), ([0, 7], "Left"), ([0, 7], "Down"), ([0, 2], "Down"), ([3, 2], "Up")]
    found = results("keys.js", *(("cellAhead", lit, place, {"key": f"Arrow{way}"}) for place, way in steps))
    assert found == [[0, 7], [0, 2], [2, 6], [2, 6], [2, 6]]


def test_arrow_keys_end_at_the_last_lit_cell_and_leave_the_keys_of_the_browser() -> None:
    lit = [[0, 2], [1, 2]]
    events = [{"key": "ArrowRight"}, {"key": "ArrowUp"}, {"key": "Enter"}, {"key": "ArrowDown", "altKey": True}]
    assert results("keys.js", *(("cellAhead", lit, [0, 2], event) for event in events)) == [None] * 4
