"""Answers of several seats to one roll commute: whichever arrives first, the game after them is the same."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game import play
from games.game.aggregate import PLAYING, Game
from games.game.events import Event
from games.rules.actions import Action, Request
from tests.builders import Table, started
from tests.rules.worlds import WORLDS, Chooser, World

pytestmark = pytest.mark.usefixtures("printed_sheets")
Consequence = tuple[str, dict[str, object]]


def _simultaneous(world: World, seats: int, random: Random) -> Table | None:
    """A game in which everybody is asked at once; None if it ended before that."""
    table = started(world.ruleset.key, seats, sheet=world.sheet, secret=random.randbytes(32))
    choose, phases = Chooser(world.ruleset, random), random.randrange(1, 40)
    while table.game.status == PLAYING:
        if phases <= 0 and world.ruleset.phases[table.phase].everyone and len(table.game.waiting_for()) == seats:
            return table
        phases -= 1
        seat = table.game.waiting_for()[0]
        table.act(seat, choose(table.game.position, seat, play.options(table.game, seat)))
    return None


def _consequences(events: Sequence[Event]) -> list[Consequence]:
    """What followed from the answers, without the order in which they came in."""
    kept = [event for event in events if event.type != "answer_sealed"]
    return [(e.type, {k: v for k, v in e.data.items() if k != "answers"}) for e in kept]


def _answered(table: Table, order: Sequence[tuple[int, Action]]) -> tuple[Game, list[Consequence]]:
    game, events = table.game, list[Event]()
    for seat, action in order:
        draft = play.act(game, table.player(seat), Request(action, game.position.roll, table.phase), table.moment)
        events += draft.events()
        game = draft.result(draft.events())
    return game._replace(head=""), _consequences(events)  # the chain alone tells which came first


@pytest.mark.parametrize("world", WORLDS, ids=str)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_order_of_sealed_answers_does_not_change_the_game(world: World, data: st.DataObject, seed: int) -> None:
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    random = Random(seed)
    table = _simultaneous(world, seats, random)
    if table is None:
        return
    options = [play.options(table.game, seat) for seat in range(seats)]
    answers = [(seat, data.draw(st.sampled_from(options[seat]), label=f"seat {seat}")) for seat in range(seats)]
    expected = _answered(table, answers)
    for order in data.draw(st.lists(st.permutations(answers), min_size=1, max_size=3), label="orders"):
        assert _answered(table, order) == expected
