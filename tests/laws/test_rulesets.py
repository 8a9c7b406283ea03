"""Laws that hold in every game on every sheet, whoever plays and however the dice fall."""

import json
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.event_types import decode, encode
from games.rules.actions import Action, Roll, from_wire, read, to_wire
from games.rules.playout import playout
from tests.rules.worlds import EVERY_ACTION, MOMENT_CODES, RULE_CODES, WORLDS, Chooser, RandomDice, Step, World, game

pytestmark = pytest.mark.usefixtures("printed_sheets")
every_world = pytest.mark.parametrize("world", WORLDS, ids=str)
seeds = st.integers(0, 2**32)
TURNS = 100  # that no seat has in any game: a turn fills a cell or a penalty box


def _played(world: World, data: st.DataObject) -> list[Step]:
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    return list(game(world, seats, data.draw(seeds, label="seed")))


def _some(steps: list[Step], data: st.DataObject, count: int = 4) -> list[Step]:
    """A few of the steps: the last, and others anywhere before it."""
    places = data.draw(st.sets(st.integers(0, len(steps) - 1), max_size=count - 1), label="steps")
    return [steps[place] for place in sorted({*places, len(steps) - 1})]


def _plain(action: Action) -> Action:
    """Dice may be named in any order: it is the same choice."""
    return Roll(tuple(sorted(action.dice))) if isinstance(action, Roll) else action


@every_world
@settings(max_examples=8)
@given(data=st.data())
def test_exactly_the_offered_actions_are_accepted(world: World, data: st.DataObject) -> None:
    ruleset = world.ruleset
    for step in _some(_played(world, data), data):
        for state in (step.before, step.after):
            for seat in range(len(state.seat_sheets)):
                offered = {_plain(action) for action in ruleset.options(state, seat)}
                for action in EVERY_ACTION:
                    code = ruleset.refusal(state, seat, action)
                    assert (code is None) == (_plain(action) in offered), (action, code)
                    assert code is None or code in MOMENT_CODES | RULE_CODES


@every_world
@settings(max_examples=10)
@given(data=st.data())
def test_every_asked_seat_has_options_without_duplicates(world: World, data: st.DataObject) -> None:
    for step in _played(world, data):
        for seat in range(len(step.before.seat_sheets)):
            offered = world.ruleset.options(step.before, seat)
            assert bool(offered) == (seat in step.answers)
            assert len(set(offered)) == len(offered)


@every_world
@settings(max_examples=10)
@given(data=st.data())
def test_an_option_survives_its_wire_form(world: World, data: st.DataObject) -> None:
    for step in _some(_played(world, data), data):
        for seat in step.answers:
            for action in world.ruleset.options(step.before, seat):
                wire = json.loads(json.dumps(to_wire(action)))
                assert from_wire(wire) == read(wire).action == action


@every_world
@settings(max_examples=10)
@given(data=st.data())
def test_facts_read_back_from_json_lead_to_the_same_state(world: World, data: st.DataObject) -> None:
    for step in _played(world, data):
        state = step.before
        for fact in step.facts:
            name, v, body = encode(fact)
            state = world.ruleset.evolve(state, decode(name, v, json.loads(json.dumps(body, sort_keys=True))))
        assert state == step.after
        seats = range(len(state.seat_sheets))
        options = [[world.ruleset.options(at, seat) for seat in seats] for at in (state, step.after)]
        assert options[0] == options[1]


@every_world
@settings(max_examples=10)
@given(data=st.data())
def test_the_order_of_answers_does_not_change_the_facts(world: World, data: st.DataObject) -> None:
    for step in _some(_played(world, data), data):
        order = data.draw(st.permutations(list(step.answers.items())), label="order")
        in_order, as_given = (
            world.ruleset.decide(step.before, answers, RandomDice(Random(1))) for answers in (dict(order), step.answers)
        )
        assert in_order == as_given


@every_world
@settings(max_examples=12)
@given(data=st.data())
def test_scores_stay_in_range_and_are_the_sum_of_their_parts(world: World, data: st.DataObject) -> None:
    for step in _played(world, data):
        for seat in range(len(step.after.seat_sheets)):
            points = world.ruleset.points(step.after, seat)
            total = points.pop("total")
            assert total == sum(points.values())
            assert world.lowest <= total <= world.highest
            assert world.ruleset.sheet_view(step.after, seat)["points"]["total"] == total


@every_world
@settings(max_examples=12)
@given(data=st.data())
def test_every_game_ends(world: World, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    phases = len(world.ruleset.phases)
    steps = game(world, seats, data.draw(seeds, label="seed"))
    longest = sum(1 for _ in islice(steps, TURNS * seats * phases + 1))
    assert longest <= TURNS * seats * phases


@every_world
@settings(max_examples=10)
@given(data=st.data())
def test_the_fact_that_ends_or_opens_a_phase_comes_first_and_has_a_deadline(world: World, data: st.DataObject) -> None:
    for step in _played(world, data):
        assert [hasattr(fact, "deadline") for fact in step.facts] == [True] + [False] * (len(step.facts) - 1)
        assert step.facts[0].deadline is None  # when it is due is not for the rules to say


@every_world
@settings(max_examples=5)
@given(data=st.data())
def test_a_playout_is_a_whole_game(world: World, data: st.DataObject) -> None:
    random = Random(data.draw(seeds, label="seed"))
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    chooser = Chooser(world.ruleset, random)
    state = playout(world.ruleset, world.sheet, seats, seats - 1, chooser, RandomDice(random))
    assert world.ruleset.ending(state) is not None
    assert len(state.seat_sheets) == seats
