"""Every view can be computed from the stream: the events that a viewer gets, on any sheet and for any seat."""

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.aggregate import GameState, fold
from games.game.decisions import play
from games.game.events import Data, Event
from games.game.views import event_views, game_view, sealed_versions
from tests.builders import GameDriver, started
from tests.rules.sheet_cases import SHEET_CASES, Chooser, SheetCase
from tests.streams.copies import known

Viewer = int | None  # a seat, or a spectator


def _view(game: GameState, viewer: Viewer) -> Data:
    return game_view(game, viewer, "CODE", lambda player: {"id": player}, game.at)


def _received(driver: GameDriver, events: Sequence[Event], viewer: Viewer) -> list[Event]:
    """The events as this viewer gets them now: without what others have sealed, and through JSON."""
    seen = event_views(events, viewer, sealed_versions(driver.game))
    return [known(json.loads(json.dumps(event, sort_keys=True))) for event in seen]


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
@settings(max_examples=4)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_view_folded_from_a_viewers_events_equals_the_fetched_one(
    sheet_case: SheetCase, data: st.DataObject, seed: int
) -> None:
    seats, random = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats"), Random(seed)
    driver = started(sheet_case.ruleset.key, seats, sheet=sheet_case.sheet, secret=random.randbytes(32))
    viewers: list[Viewer] = [None, *range(seats)]
    choose = Chooser(sheet_case.ruleset, random)
    copies = {viewer: fold(None, _received(driver, driver.log, viewer)) for viewer in viewers}
    while not driver.game.is_over:
        seat = driver.game.waiting_for()[0]
        events = driver.act(seat, choose(driver.game.position, seat, play.options(driver.game, seat)))
        for viewer in viewers:
            copies[viewer] = fold(copies[viewer], _received(driver, events, viewer))
            assert _view(copies[viewer], viewer) == _view(driver.game, viewer)
    assert driver.game.ruleset.ending(driver.game.position) is not None
