"""What all printed Qwixx sheets have in common."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules import clauses, qwixx_sheets
from games.rules.layouts.qwixx_layouts import SHEETS, read_sheet
from games.rules.qwixx_sheets import COLOURS, QwixxSheet
from games.rules.registry import RULESETS
from tests.rules.sheet_cases import RANGES

ALL = [*SHEETS.values()]
OFFICIAL = json.loads(Path(__file__).with_name("official_layouts.json").read_text())
NUMBERS = list(range(2, 13))


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.key)
def test_every_row_holds_every_number_from_two_to_twelve_once(sheet: QwixxSheet) -> None:
    assert all(sorted(row.numbers) == NUMBERS for row in sheet.rows)


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.key)
def test_every_colour_has_every_number_once(sheet: QwixxSheet) -> None:
    for colour in COLOURS:
        owned = [n for row in sheet.rows for n, own in zip(row.numbers, row.colours, strict=True) if own == colour]
        assert sorted(owned) == NUMBERS


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.key)
def test_every_colours_die_leaves_with_one_row(sheet: QwixxSheet) -> None:
    assert sorted(row.lock for row in sheet.rows if row.lock) == sorted(COLOURS)


def test_classic_rises_in_red_and_yellow_and_falls_in_green_and_blue() -> None:
    rows = {row.key: list(row.numbers) for row in SHEETS["classic"].rows}
    assert rows == {"red": NUMBERS, "yellow": NUMBERS, "green": NUMBERS[::-1], "blue": NUMBERS[::-1]}


def test_a_rows_lock_has_the_colour_of_its_last_cell() -> None:
    colours = ["red", "green", "blue"]
    rows = [{"key": "mixed", "numbers": [2, 3, 4], "colours": colours}, {"key": "red", "numbers": [2, 3, 4]}]
    assert [row.lock for row in read_sheet("small", {"rows": rows}).rows] == ["blue", "red"]


def test_the_registry_lists_all_official_sheets() -> None:
    assert len(OFFICIAL) == 11
    assert set(OFFICIAL) <= set(SHEETS)


@pytest.mark.parametrize("key", OFFICIAL)
def test_rows_and_limits_are_the_official_ones(key: str) -> None:
    sheet, official = SHEETS[key], OFFICIAL[key]
    assert (sheet.marks_before_last, sheet.most_crosses) == (official["marks_before_last"], official["cap_crosses"])
    rows = {row["id"]: row for row in [*official["rows"], *official.get("bonus_rows", [])]}
    assert [row.key for row in sheet.rows] == official.get("display_order", [*rows])
    for row in sheet.rows:
        assert list(row.numbers) == rows[row.key]["numbers"]
        assert row.lock == rows[row.key].get("lock_color")
        default = [row.key if row.lock else ""] * len(row.numbers)
        assert list(row.colours) == rows[row.key].get("colors", default)


def _cells(places: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(place["row"], place["col"]) for place in places]


def _extra(sheet: str, printing: str | None = None) -> dict[str, Any]:
    """What the only clause of a sheet prints."""
    printed = SHEETS[sheet].printings[printing] if printing else SHEETS[sheet]
    (clause,) = printed.clauses
    return clause.prints()


def test_bonus_rows_are_beside_their_official_neighbours() -> None:
    printed = SHEETS["big_points"].rows
    named = {
        printed[bonus["row"]].key: [printed[row].key for row in bonus["neighbours"]]
        for bonus in _extra("big_points")["bonus_rows"]
    }
    official = OFFICIAL["big_points"]
    rows = [row["id"] for row in official["rows"]]
    assert named == {bonus["id"]: [rows[row] for row in bonus["adjacent"]] for bonus in official["bonus_rows"]}


def test_boxed_cells_and_the_bonus_bar_are_the_official_ones() -> None:
    extra, official = _extra("bonus_a"), OFFICIAL["bonus_a"]
    assert extra["cells"] == sorted(_cells(official["boxed"]))
    assert [field["colour"] for field in extra["track"]] == official["bar"]


def test_pairs_and_their_effects_are_the_official_ones() -> None:
    extra, official = _extra("bonus_b"), OFFICIAL["bonus_b"]["pairs"]
    assert extra["effects"] == list(official)
    assert [list(pair) for pair in extra["links"]] == [_cells(pair) for pair in official.values()]


def test_double_cells_are_the_official_ones() -> None:
    assert _extra("double_b")["cells"] == _cells(OFFICIAL["double_b"]["double_cells"])


def test_swaps_are_the_official_ones() -> None:
    assert [list(field["numbers"]) for field in _extra("x_change")["track"]] == OFFICIAL["x_change"]["swaps"]


def test_every_printing_of_the_steps_is_the_official_one() -> None:
    official = OFFICIAL["connected_a_steps"]["sheets"]
    assert list(SHEETS["connected_a_steps"].printings) == list(official)
    for name, rows in official.items():
        assert _extra("connected_a_steps", name)["cells"] == [(row, column) for column, row in enumerate(rows)]


def test_every_printing_of_the_chain_is_the_official_one() -> None:
    official = OFFICIAL["connected_b_chain"]["sheets"]
    assert list(SHEETS["connected_b_chain"].printings) == list(official)
    for name, printing in official.items():
        links = [list(link) for link in _extra("connected_b_chain", name)["links"]]
        assert links == [_cells(pair) for pair in printing["pairs"]]


def test_the_laws_run_over_every_sheet_of_the_registry() -> None:
    """`RANGES` in `sheet_cases.py` names the sheets."""
    assert [*RANGES] == [(ruleset.key, sheet) for ruleset in RULESETS.values() for sheet in ruleset.sheets]


def test_the_rules_name_no_sheet() -> None:
    """Sheets are data: except for the reader's default, no file of the rules knows one that is not a clause's key."""
    keys = {clause.key for sheet in ALL for clause in sheet.clauses}
    for path in Path(qwixx_sheets.__file__).parent.rglob("*.py"):
        names = {name for name in {*SHEETS} - {"classic", *keys} if f'"{name}"' in path.read_text()}
        assert not names, path


def test_every_clause_is_used_by_a_sheet() -> None:
    used = {clause.key for sheet in ALL for clause in sheet.clauses}
    assert used == {path.stem for path in Path(clauses.__path__[0]).glob("*.py")} - {"__init__"}
