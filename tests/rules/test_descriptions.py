"""The description of a sheet, from which a client can draw it and place every option, mark and score."""

import json
from typing import Any

import pytest

from games.rules.actions import Mark, Write
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwinto import QWINTO
from games.rules.qwixx import QWIXX
from tests.rules.positions import keep_phase, white_phase, written
from tests.rules.sheet_cases import SHEET_CASES, SheetCase, game

every_sheet = pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)


def _described(sheet_case: SheetCase) -> dict[str, Any]:
    (sheet,) = [sheet for sheet in sheet_case.ruleset.description()["sheets"] if sheet["key"] == sheet_case.sheet]
    return dict(json.loads(json.dumps(sheet)))


@every_sheet
def test_every_option_is_a_printed_cell(sheet_case: SheetCase) -> None:
    rows = {row["key"]: row["cells"] for row in _described(sheet_case)["rows"]}
    for step in game(sheet_case, 2, seed=1):
        for action in (action for seat in step.answers for action in sheet_case.ruleset.options(step.before, seat)):
            if isinstance(action, Mark):
                assert action.number in [cell["number"] for cell in rows[action.row]]
            if isinstance(action, Write):
                assert action.column in [cell["column"] for cell in rows[action.row]]


@every_sheet
def test_a_sheet_shows_the_rows_that_are_printed(sheet_case: SheetCase) -> None:
    state = sheet_case.ruleset.opening(sheet_case.sheet, 2)
    assert list(sheet_case.ruleset.sheet_view(state, 0)["rows"]) == [
        row["key"] for row in _described(sheet_case)["rows"]
    ]


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
def test_every_sheet_of_the_registry_is_described(sheet_case: SheetCase) -> None:
    described = [sheet["key"] for sheet in sheet_case.ruleset.description()["sheets"]]
    assert described == list(sheet_case.ruleset.sheets)


def test_classic_qwixx_is_described_cell_by_cell() -> None:
    description = QWIXX.description()
    assert description["dice"] == ["white", "white", "red", "yellow", "green", "blue"]
    sheet = description["sheets"][0]
    rising, falling = list(range(2, 13)), list(range(12, 1, -1))
    rows = {row["key"]: [cell["number"] for cell in row["cells"]] for row in sheet["rows"]}
    assert rows == {"red": rising, "yellow": rising, "green": falling, "blue": falling}
    assert [row["lock"] for row in sheet["rows"]] == ["red", "yellow", "green", "blue"]
    assert sheet["rows"][3]["cells"][10] == {"number": 2, "colour": "blue", "column": 10, "bonus": False}
    assert sheet["score"]["crosses"] == [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78]
    assert {type(points) for points in sheet["score"]["crosses"]} == {int}
    assert sheet["marks_before_last"] == 5
    assert sheet["penalties"] == {"points": -5, "boxes": 4}
    assert sheet["clauses"] == []


def test_a_sheets_clauses_are_named() -> None:
    (sheet,) = [sheet for sheet in QWIXX.description()["sheets"] if sheet["key"] == "big_points"]
    assert sheet["clauses"] == ["bonus_rows"]
    assert sheet["rows"][1]["lock"] is None
    assert sheet["score"]["crosses"][-1] == 120


@every_sheet
def test_printed_extras_refer_to_printed_cells(sheet_case: SheetCase) -> None:
    sheet = _described(sheet_case)
    assert [extra["key"] for extra in sheet["extras"]] == sheet["clauses"]
    cells = {(row, cell["column"]) for row, each in enumerate(sheet["rows"]) for cell in each["cells"]}
    for extra in sheet["extras"]:
        assert {tuple(cell) for cell in extra.get("cells", ())} <= cells
        assert {tuple(cell) for link in extra.get("links", ()) for cell in link} <= cells
        assert {len(field) for field in extra.get("track", ())} <= {1}


@every_sheet
def test_a_sheet_shows_the_progress_of_its_extras(sheet_case: SheetCase) -> None:
    printed = _described(sheet_case)["extras"]
    for step in game(sheet_case, 2, seed=3):
        sheet = sheet_case.ruleset.sheet_view(step.before, 0)
        shown = json.loads(json.dumps(sheet.get("extras", [])))
        assert [extra["key"] for extra in shown] == [extra["key"] for extra in printed]
        for before, now in zip(printed, shown, strict=True):
            assert now.get("used", 0) <= len(before.get("track", ()))
            assert set(now.get("done", ())) <= set(range(len(before.get("links", ()))))


def test_a_cell_that_is_crossed_twice_is_listed_as_twice() -> None:
    sheet = SHEETS["double_b"].opening()._replace(marks=(0b10, 0, 0, 0))
    (clause,) = SHEETS["double_b"].clauses
    assert clause.shows(sheet, 0) == {"twice": [(0, 1)]}


def test_classic_qwinto_is_described_cell_by_cell() -> None:
    description = QWINTO.description()
    assert description["dice"] == ["orange", "yellow", "purple"]
    sheet = description["sheets"][0]
    columns = {row["key"]: [cell["column"] for cell in row["cells"]] for row in sheet["rows"]}
    assert columns["orange"] == [2, 3, 4, 6, 7, 8, 9, 10, 11]
    pentagons = [(row["key"], cell["column"]) for row in sheet["rows"] for cell in row["cells"] if cell["bonus"]]
    assert pentagons == [("orange", 3), ("orange", 7), ("yellow", 8), ("purple", 2), ("purple", 9)]
    assert sheet["rows"][1]["cells"][6] == {"number": None, "colour": "yellow", "column": 8, "bonus": True}
    assert [row["lock"] for row in sheet["rows"]] == [None, None, None]
    assert sheet["score"]["number"] == 1
    assert {"full_row", "full_column_of_three"} <= set(sheet["score"])
    assert (sheet["fails"], sheet["clauses"]) == ({"points": -5, "boxes": 4}, [])


def test_rolled_dice_are_shown_and_none_before_the_roll() -> None:
    opening = QWIXX.opening("classic", 2)
    assert QWIXX.dice_view(opening) == {"dice": None}
    dice = {"white": [4, 4], "red": [3], "yellow": [1], "green": [1], "blue": [1]}
    assert QWIXX.dice_view(white_phase(opening, (4, 4), red=3)) == {"dice": dice}


def test_qwinto_shows_the_sum_of_its_dice() -> None:
    assert QWINTO.dice_view(written(2, {})) == {"dice": None, "sum": None}
    state = keep_phase(written(2, {}), yellow=4, purple=5)
    assert QWINTO.dice_view(state) == {"dice": {"yellow": [4], "purple": [5]}, "sum": 9}
