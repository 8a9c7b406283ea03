"""The arguments that every hook of a clause gets, and clauses without effect."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import Mark
from games.rules.layouts.qwixx_layouts import SHEETS, read_sheet
from games.rules.qwixx import QWIXX
from games.rules.qwixx_sheets import COLOURS, Clause, MarkedSheet, Marking, Place, QwixxSheet
from tests.rules.positions import after, cells_marked, totals, white_phase
from tests.rules.sheet_cases import SheetCase, game


class Nosy(Clause):
    """Checks the arguments of every hook, and counts marks in its note."""

    key = "nosy"

    def swaps(self, note: int, white_sum: int) -> tuple[int, ...]:
        assert note >= 0
        assert white_sum in range(2, 13)
        return ()

    def admits(self, marked: MarkedSheet, row: int, column: int, colour: str) -> bool:
        assert len(marked.marks) > row
        assert column in range(11)
        assert colour in COLOURS
        return False

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        assert note >= marked.marks[row].bit_count()
        assert (code == "left_to_right") == (marked.marks[row] >> column > 0)
        return code

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        assert self in sheet.clauses
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
        sheet = SHEETS["big_points"]
        patch.setitem(SHEETS, "watched", replace(sheet, key="watched", clauses=(Nosy(), *sheet.clauses)))
        *_, last = game(SheetCase(QWIXX, "watched", 0, 0), seats, seed)
        assert all(QWIXX.points(last.after, seat)["bonus"] == 0 for seat in range(seats))


def _extended(sheet: QwixxSheet) -> QwixxSheet:
    return replace(sheet, clauses=(Clause(), *sheet.clauses, Clause()))


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=lambda sheet: sheet.key)
@settings(max_examples=5)
@given(seats=st.sampled_from(QWIXX.seats), seed=st.integers(0, 2**32))
def test_a_plain_clause_changes_nothing(sheet: QwixxSheet, seats: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        printings = {name: _extended(printing) for name, printing in sheet.printings.items()}
        patch.setitem(SHEETS, "extended", replace(_extended(sheet), printings=printings))
        plain, extended = (list(game(SheetCase(QWIXX, key, 0, 0), seats, seed)) for key in (sheet.key, "extended"))
        assert [step.facts for step in plain] == [step.facts for step in extended]
        assert totals(QWIXX, plain[-1].after) == totals(QWIXX, extended[-1].after)


def test_a_forced_mark_uses_no_swap() -> None:
    """No official sheet has swaps and links; a mark that a link forces is not made by the white sum."""
    clauses = {"links": {"links": [[["red", 8], ["yellow", 5]]]}, "swaps": {"pairs": [[8, 5]]}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SHEETS, "made_up", read_sheet("made_up", {"clauses": clauses}))
        state = white_phase(QWIXX.opening("made_up", 2), (4, 4))
        assert cells_marked(state, "red", 8) == [("red", 8), ("yellow", 5)]
        assert after(QWIXX, state, {0: Mark("red", 8)}).seat_sheets[0].notes == (0, 0)
