"""Answers of several seats to one roll: their order does not change the game, and a preview shows what one does."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game import event_types
from games.game.aggregate import PLAYING, GameState
from games.game.decisions import play
from games.game.events import Event
from games.rules.actions import PASS, Action, Request
from tests.builders import GameDriver, started
from tests.rules.sheet_cases import SHEET_CASES, Chooser, SheetCase

Consequence = tuple[str, dict[str, object]]


def _simultaneous(sheet_case: SheetCase, seats: int, random: Random) -> GameDriver | None:
    """A game in a phase that all seats answer; None: it ended before that."""
    driver = started(sheet_case.ruleset.key, seats, sheet=sheet_case.sheet, secret=random.randbytes(32))
    choose, phases = Chooser(sheet_case.ruleset, random), random.randrange(1, 40)
    while driver.game.status == PLAYING:
        if phases <= 0 and sheet_case.ruleset.phases[driver.phase].everyone and len(driver.game.waiting_for()) == seats:
            return driver
        phases -= 1
        seat = driver.game.waiting_for()[0]
        driver.act(seat, choose(driver.game.position, seat, play.options(driver.game, seat)))
    return None


def _consequences(events: Sequence[Event]) -> list[Consequence]:
    """What followed from the answers, without the order in which they came in."""
    kept = [event for event in events if event.type != "answer_sealed"]
    return [(e.type, {k: v for k, v in e.data.items() if k != "answers"}) for e in kept]


def _answered(driver: GameDriver, order: Sequence[tuple[int, Action]]) -> tuple[GameState, list[Consequence]]:
    game, events = driver.game, list[Event]()
    for seat, action in order:
        draft = play.act(game, driver.player(seat), Request(action, game.position.roll, driver.phase), driver.moment)
        events += draft.events()
        game = draft.result(draft.events())
    return game._replace(head=""), _consequences(events)  # the chain alone tells which came first


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_order_of_sealed_answers_does_not_change_the_game(
    sheet_case: SheetCase, data: st.DataObject, seed: int
) -> None:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    random = Random(seed)
    driver = _simultaneous(sheet_case, seats, random)
    if driver is None:
        return
    options = [play.options(driver.game, seat) for seat in range(seats)]
    answers = [(seat, data.draw(st.sampled_from(options[seat]), label=f"seat {seat}")) for seat in range(seats)]
    expected = _answered(driver, answers)
    for order in data.draw(st.lists(st.permutations(answers), min_size=1, max_size=3), label="orders"):
        assert _answered(driver, order) == expected


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_preview_shows_what_an_answer_does_if_all_others_pass(
    sheet_case: SheetCase, data: st.DataObject, seed: int
) -> None:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    driver = _simultaneous(sheet_case, seats, Random(seed))
    if driver is None:
        return
    seat = data.draw(st.integers(0, seats - 1), label="seat")
    answer = data.draw(st.sampled_from(play.options(driver.game, seat)), label="answer")
    facts, before, _ = play.preview(driver.game, driver.player(seat), Request(answer), driver.moment)
    assert before == sheet_case.ruleset.points(driver.game.position, seat)["total"]
    passes = [(other, PASS) for other in range(seats) if other != seat]
    _, follows = _answered(driver, [(seat, answer), *passes])
    own = [event for event in follows if event[0] in sheet_case.ruleset.facts and _names(event[1], seat)]
    assert [(name, data) for name, _, data in map(event_types.encode, facts)] == own


def _names(data: dict[str, object], seat: int) -> bool:
    return data.get("seat") == seat or data.get("seats") == [seat]
