"""A clause that says nothing changes nothing, on any sheet and beside any other clause."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import sheets
from games.rules.qwixx import QWIXX
from games.rules.sheets import Clause, Sheet
from tests.rules.positions import totals
from tests.rules.printed import PRINTED
from tests.rules.worlds import World, game

pytestmark = pytest.mark.usefixtures("printed_sheets")


@pytest.mark.parametrize("sheet", [sheets.CLASSIC, *PRINTED.values()], ids=lambda sheet: sheet.key)
@settings(max_examples=5)
@given(seats=st.sampled_from(QWIXX.seats), seed=st.integers(0, 2**32))
def test_a_plain_clause_changes_nothing(sheet: Sheet, seats: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sheets.SHEETS, "extended", replace(sheet, key="extended", clauses=(Clause(), *sheet.clauses)))
        plain, extended = (list(game(World(QWIXX, key, 0, 0), seats, seed)) for key in (sheet.key, "extended"))
        assert [step.facts for step in plain] == [step.facts for step in extended]
        assert totals(QWIXX, plain[-1].after) == totals(QWIXX, extended[-1].after)
