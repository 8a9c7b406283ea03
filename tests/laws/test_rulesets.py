"""Laws that hold in random games on every sheet of every ruleset."""

import json
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.event_types import decode, encode
from games.rules.actions import Action, Roll, from_wire, read, to_wire
from games.rules.playout import playout
from tests.rules.sheet_cases import (
    EVERY_ACTION,
    RULE_CODES,
    SHEET_CASES,
    TURN_CODES,
    Chooser,
    RandomDice,
    SheetCase,
    Step,
    game,
)

every_sheet = pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
seeds = st.integers(0, 2**32)
TURNS = 100  # that no seat has in any game: a turn fills a cell or a penalty box


def _played(sheet_case: SheetCase, data: st.DataObject) -> list[Step]:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    return list(game(sheet_case, seats, data.draw(seeds, label="seed")))


def _some(steps: list[Step], data: st.DataObject, count: int = 4) -> list[Step]:
    """A few of the steps: the last, and others anywhere before it."""
    places = data.draw(st.sets(st.integers(0, len(steps) - 1), max_size=count - 1), label="steps")
    return [steps[place] for place in sorted({*places, len(steps) - 1})]


def _plain(action: Action) -> Action:
    """Dice may be named in any order: it is the same choice."""
    return Roll(tuple(sorted(action.dice))) if isinstance(action, Roll) else action


@every_sheet
@settings(max_examples=8)
@given(data=st.data())
def test_exactly_the_offered_actions_are_accepted(sheet_case: SheetCase, data: st.DataObject) -> None:
    ruleset = sheet_case.ruleset
    for step in _some(_played(sheet_case, data), data):
        for state in (step.before, step.after):
            for seat in range(len(state.seat_sheets)):
                offered = {_plain(action) for action in ruleset.options(state, seat)}
                for action in EVERY_ACTION:
                    code = ruleset.refusal(state, seat, action)
                    assert (code is None) == (_plain(action) in offered), (action, code)
                    assert code is None or code in TURN_CODES | RULE_CODES


@every_sheet
@settings(max_examples=10)
@given(data=st.data())
def test_every_asked_seat_has_options_without_duplicates(sheet_case: SheetCase, data: st.DataObject) -> None:
    for step in _played(sheet_case, data):
        for seat in range(len(step.before.seat_sheets)):
            offered = sheet_case.ruleset.options(step.before, seat)
            assert bool(offered) == (seat in step.answers)
            assert len(set(offered)) == len(offered)


@every_sheet
@settings(max_examples=10)
@given(data=st.data())
def test_an_option_survives_its_wire_form(sheet_case: SheetCase, data: st.DataObject) -> None:
    for step in _some(_played(sheet_case, data), data):
        for seat in step.answers:
            for action in sheet_case.ruleset.options(step.before, seat):
                wire = json.loads(json.dumps(to_wire(action)))
                assert from_wire(wire) == read(wire).action == action


@every_sheet
@settings(max_examples=10)
@given(data=st.data())
def test_facts_read_back_from_json_lead_to_the_same_state(sheet_case: SheetCase, data: st.DataObject) -> None:
    for step in _played(sheet_case, data):
        state = step.before
        for fact in step.facts:
            name, v, body = encode(fact)
            state = sheet_case.ruleset.evolve(state, decode(name, v, json.loads(json.dumps(body, sort_keys=True))))
        assert state == step.after
        seats = range(len(state.seat_sheets))
        options = [[sheet_case.ruleset.options(at, seat) for seat in seats] for at in (state, step.after)]
        assert options[0] == options[1]


@every_sheet
@settings(max_examples=10)
@given(data=st.data())
def test_the_order_of_answers_does_not_change_the_facts(sheet_case: SheetCase, data: st.DataObject) -> None:
    for step in _some(_played(sheet_case, data), data):
        order = data.draw(st.permutations(list(step.answers.items())), label="order")
        in_order, as_given = (
            sheet_case.ruleset.decide(step.before, answers, RandomDice(Random(1)))
            for answers in (dict(order), step.answers)
        )
        assert in_order == as_given


@every_sheet
@settings(max_examples=12)
@given(data=st.data())
def test_scores_stay_in_range_and_are_the_sum_of_their_parts(sheet_case: SheetCase, data: st.DataObject) -> None:
    for step in _played(sheet_case, data):
        for seat in range(len(step.after.seat_sheets)):
            points = sheet_case.ruleset.points(step.after, seat)
            total = points.pop("total")
            assert total == sum(points.values())
            assert sheet_case.lowest <= total <= sheet_case.highest
            assert sheet_case.ruleset.sheet_view(step.after, seat)["points"]["total"] == total


@every_sheet
@settings(max_examples=12)
@given(data=st.data())
def test_every_game_ends(sheet_case: SheetCase, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    phases = len(sheet_case.ruleset.phases)
    steps = game(sheet_case, seats, data.draw(seeds, label="seed"))
    longest = sum(1 for _ in islice(steps, TURNS * seats * phases + 1))
    assert longest <= TURNS * seats * phases


@every_sheet
@settings(max_examples=10)
@given(data=st.data())
def test_the_fact_that_ends_or_opens_a_phase_comes_first_and_has_a_deadline(
    sheet_case: SheetCase, data: st.DataObject
) -> None:
    for step in _played(sheet_case, data):
        assert [hasattr(fact, "deadline") for fact in step.facts] == [True] + [False] * (len(step.facts) - 1)
        assert step.facts[0].deadline is None  # when it is due is not for the rules to say


@every_sheet
@settings(max_examples=5)
@given(data=st.data())
def test_a_playout_is_a_whole_game(sheet_case: SheetCase, data: st.DataObject) -> None:
    random = Random(data.draw(seeds, label="seed"))
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    chooser = Chooser(sheet_case.ruleset, random)
    state = playout(sheet_case.ruleset, sheet_case.sheet, seats, seats - 1, chooser, RandomDice(random))
    assert sheet_case.ruleset.ending(state) is not None
    assert len(state.seat_sheets) == seats
