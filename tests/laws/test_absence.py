"""Games whose players come and go at random: each of them ends, and absence costs boxes, but never the last one."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.aggregate import AWAY, PLAYING
from games.game.decisions import play
from tests.builders import GameDriver, started
from tests.laws.absence_laws import BOX_NAMES, check_absences
from tests.laws.game_laws import check_append, check_log
from tests.rules.sheet_cases import SHEET_CASES, Chooser, SheetCase

LONGEST = 3000  # more commands than any game needs


def _step(driver: GameDriver, silent: set[int], choose: Chooser) -> None:
    """One seat that is not silent answers; if all others have answered, time runs out."""
    able = [seat for seat in driver.game.waiting_for() if seat not in silent]
    if not able:
        driver.time_out()
        return
    seat = choose.random.choice(able)
    driver.act(seat, choose(driver.game.position, seat, play.options(driver.game, seat)))


def _come_and_go(driver: GameDriver, silent: set[int], random: Random) -> None:
    """Sometimes a seat, but never seat 0, falls silent for a while or comes back."""
    seat = random.randrange(1, len(driver.game.participants))
    if random.random() < 0.05:
        silent ^= {seat}
        if seat not in silent and driver.state(seat) == AWAY:
            driver.come_back(seat)


def _played(sheet_case: SheetCase, seats: int, random: Random) -> GameDriver:
    driver = started(sheet_case.ruleset.key, seats, sheet=sheet_case.sheet, secret=random.randbytes(32))
    silent, choose = set(random.sample(range(1, seats), random.randrange(seats))), Chooser(sheet_case.ruleset, random)
    for _ in range(LONGEST):
        if driver.game.status != PLAYING:
            break
        before, known = driver.game, len(driver.appends)
        _step(driver, silent, choose)
        for events in driver.appends[known:]:
            check_append(before, events, driver.game)
        if driver.game.status == PLAYING:
            _come_and_go(driver, silent, random)
    return driver


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_game_with_random_absences_ends(sheet_case: SheetCase, data: st.DataObject, seed: int) -> None:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    driver = _played(sheet_case, seats, Random(seed))
    assert driver.game.is_over
    check_log(driver.log, driver.game)
    check_absences(driver.log)


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
def test_seats_that_never_return_use_three_boxes_at_most_and_are_resigned(sheet_case: SheetCase) -> None:
    """All seats but one are silent from the start: the log grows by a bounded number of events."""
    seats = sheet_case.ruleset.seats[-1]
    driver = started(sheet_case.ruleset.key, seats, sheet=sheet_case.sheet)
    choose, others = Chooser(sheet_case.ruleset, Random(0)), set(range(1, seats))
    while driver.game.status == PLAYING:
        _step(driver, others, choose)
    boxes = Counter(event.data["seat"] for event in driver.log if event.type == BOX_NAMES[sheet_case.ruleset.key])
    assert all(boxes[seat] <= 3 for seat in others)
    assert driver.ranks[0] == 1
    check_absences(driver.log)
