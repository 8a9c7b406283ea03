"""What all printed Qwixx sheets have in common."""

import pytest

from games.rules.qwixx_sheets import COLOURS, SHEETS, QwixxSheet, row
from tests.rules.printed import PRINTED

ALL = [*SHEETS.values(), *PRINTED.values()]
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
    assert row("mixed", (2, 3, 4), ("red", "green", "blue")).lock == "blue"
    assert row("red", (2, 3, 4)).lock == "red"
