"""Laws of every seat's sheet: rule 1.5's limits for Qwixx, rule 2.2's order for Qwinto."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import qwinto
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwixx import QWIXX, CellMarked
from tests.rules.sheet_cases import SHEET_CASES, SheetCase, game

QWIXX_WORLDS = [sheet_case for sheet_case in SHEET_CASES if sheet_case.ruleset is QWIXX]
QWINTO_WORLDS = [sheet_case for sheet_case in SHEET_CASES if sheet_case.ruleset is qwinto.QWINTO]
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("sheet_case", QWIXX_WORLDS, ids=str)
@settings(max_examples=10)
@given(seats=st.sampled_from(QWIXX.seats), seed=seeds)
def test_a_row_is_closed_once_any_seat_has_its_last_number_and_its_die_is_gone(
    sheet_case: SheetCase, seats: int, seed: int
) -> None:
    sheet = SHEETS[sheet_case.sheet]
    for step in game(sheet_case, seats, seed):
        lockers = {row for seat in range(seats) for row in QWIXX.sheet_view(step.after, seat)["locks"]}
        assert lockers == set(QWIXX.closed_rows(step.after))
        locks = {row.lock for row in sheet.rows if row.lock and row.key not in lockers}
        assert step.after.dice is not None
        assert set(step.after.dice) == {"white", *locks}


@pytest.mark.parametrize("sheet_case", QWIXX_WORLDS, ids=str)
@settings(max_examples=10)
@given(seats=st.sampled_from(QWIXX.seats), seed=seeds)
def test_no_cell_is_marked_twice_unless_the_sheet_allows_it(sheet_case: SheetCase, seats: int, seed: int) -> None:
    told = Counter(
        (fact.seat, fact.row, fact.number)
        for step in game(sheet_case, seats, seed)
        for fact in step.facts
        if isinstance(fact, CellMarked)
    )
    clauses = {clause.key for clause in SHEETS[sheet_case.sheet].clauses}
    assert max(told.values(), default=1) <= (2 if "second_crosses" in clauses else 1)


@pytest.mark.parametrize("sheet_case", QWIXX_WORLDS, ids=str)
@settings(max_examples=10)
@given(seats=st.sampled_from(QWIXX.seats), seed=seeds)
def test_no_seat_has_more_than_two_locks_or_four_penalties(sheet_case: SheetCase, seats: int, seed: int) -> None:
    """Forced marks may cross every lock in the action that ends the game."""
    is_forcing = {"bonus_bar", "pairs"} & {clause.key for clause in SHEETS[sheet_case.sheet].clauses}
    *_, last = game(sheet_case, seats, seed)
    for sheet in (QWIXX.sheet_view(last.after, seat) for seat in range(seats)):
        assert len(sheet["locks"]) <= (4 if is_forcing else 2)
        assert sheet["penalties"] <= 4
        assert all(len(row) <= 11 for row in sheet["rows"].values())


@pytest.mark.parametrize("sheet_case", QWINTO_WORLDS, ids=str)
@settings(max_examples=30)
@given(seats=st.sampled_from(qwinto.QWINTO.seats), seed=seeds)
def test_rows_of_qwinto_rise_and_columns_do_not_repeat(sheet_case: SheetCase, seats: int, seed: int) -> None:
    *_, last = game(sheet_case, seats, seed)
    for seat in range(seats):
        rows = qwinto.QWINTO.sheet_view(last.after, seat)["rows"]
        for row in rows.values():
            numbers = list(row.values())
            assert numbers == sorted(set(numbers))
            assert all(1 <= number <= 18 for number in numbers)
        for column in map(str, range(12)):
            held = [row[column] for row in rows.values() if column in row]
            assert len(set(held)) == len(held)
