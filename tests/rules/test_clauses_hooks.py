"""The arguments that every hook of a clause gets, and clauses without effect."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import qwixx_sheets
from games.rules.qwixx import QWIXX
from games.rules.qwixx_sheets import Clause, MarkedSheet, Marking, QwixxSheet
from tests.rules.positions import totals
from tests.rules.printed import BIG_POINTS, PRINTED
from tests.rules.sheet_cases import SheetCase, game

pytestmark = pytest.mark.usefixtures("printed_sheets")


class Nosy(Clause):
    """Checks the arguments of every hook, and counts marks in its note."""

    key = "nosy"

    def swaps(self, marked: MarkedSheet, note: int, white_sum: int) -> tuple[int, ...]:
        assert note == sum(marks.bit_count() for marks in marked.marks)
        assert white_sum in range(2, 13)
        return ()

    def colours(self, marked: MarkedSheet, row: int, column: int) -> tuple[str, ...]:
        assert len(marked.marks) > row
        assert column in range(11)
        return ()

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        assert note >= marked.marks[row].bit_count()
        assert (code == "left_to_right") == (marked.marks[row] >> column > 0)
        return code

    def follows(self, marked: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[tuple[int, int], ...]]:
        assert marked.marks[marking.row] >> marking.column & 1
        return note + 1, ()

    def doubles(self, marked: MarkedSheet, note: int, row: int) -> int:
        assert note >= marked.marks[row].bit_count()
        return 0

    def lends(self, marked: MarkedSheet, row: int) -> int:
        assert len(marked.marks) > row
        return 0

    def pays(self, marked: MarkedSheet, note: int, rows: tuple[int, ...]) -> int:
        assert note == sum(marks.bit_count() for marks in marked.marks)
        assert len(rows) == 4
        return 0


@settings(max_examples=10)
@given(seats=st.sampled_from(QWIXX.seats), seed=st.integers(0, 2**32))
def test_every_hook_gets_the_sheet_and_the_note_of_its_player(seats: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            qwixx_sheets.SHEETS, "watched", replace(BIG_POINTS, key="watched", clauses=(Nosy(), *BIG_POINTS.clauses))
        )
        *_, last = game(SheetCase(QWIXX, "watched", 0, 0), seats, seed)
        assert all(QWIXX.points(last.after, seat)["bonus"] == 0 for seat in range(seats))


@pytest.mark.parametrize("sheet", [qwixx_sheets.CLASSIC, *PRINTED.values()], ids=lambda sheet: sheet.key)
@settings(max_examples=5)
@given(seats=st.sampled_from(QWIXX.seats), seed=st.integers(0, 2**32))
def test_a_plain_clause_changes_nothing(sheet: QwixxSheet, seats: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        clauses = (Clause(), *sheet.clauses, Clause())
        patch.setitem(qwixx_sheets.SHEETS, "extended", replace(sheet, key="extended", clauses=clauses))
        plain, extended = (list(game(SheetCase(QWIXX, key, 0, 0), seats, seed)) for key in (sheet.key, "extended"))
        assert [step.facts for step in plain] == [step.facts for step in extended]
        assert totals(QWIXX, plain[-1].after) == totals(QWIXX, extended[-1].after)
