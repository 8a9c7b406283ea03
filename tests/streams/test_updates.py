"""Update frames: encoded once for all viewers who see the same, and equal to the parts of the view."""

from random import Random
from typing import Any

import msgspec
import pytest

from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.events import Event
from games.game.views import answer_view, option_views, turn_view
from games.rules.actions import Action, Pass, Roll
from games.rules.registry import RULESETS
from games.streams.channels.updates import GameSnapshot, UpdateEncoder, changes_seats
from tests.builders import BEN, CAT, GameDriver

VIEWERS = (0, 1, 2, None)


def person(player: str) -> dict[str, Any]:
    return {"id": player, "name": player, "is_guest": True, "is_bot": False}


@pytest.fixture
def table() -> GameDriver:
    table = GameDriver(seats=3)
    table.join(BEN, CAT)
    return table


def update_of(game: GameState, events: tuple[Event, ...]) -> UpdateEncoder:
    return UpdateEncoder(GameSnapshot(game, "CODE42", person), events, seats_changed=changes_seats(events))


def after_action(table: GameDriver, seat: int, action: Action) -> UpdateEncoder:
    events = table.act(seat, action)
    return update_of(table.game, events)


def decoded(update: UpdateEncoder, seat: int | None, *, is_full: bool = False) -> dict[str, Any]:
    frame: dict[str, Any] = msgspec.json.decode(update.text(seat, is_full=is_full))
    return frame


def test_viewers_of_the_same_kind_are_sent_the_same_text(table: GameDriver) -> None:
    update = after_action(table, table.game.position.active, Roll())
    for seat in VIEWERS:
        for is_full in (False, True):
            assert update.text(seat, is_full=is_full) is update.text(seat, is_full=is_full)


def test_only_the_author_of_a_sealed_answer_is_sent_its_secrets(table: GameDriver) -> None:
    table.act(table.game.position.active, Roll())
    update = after_action(table, 1, Pass())
    for is_full in (False, True):
        sealed = {seat: decoded(update, seat, is_full=is_full)["events"][0]["data"] for seat in VIEWERS}
        assert {seat for seat, data in sealed.items() if "nonce" in data or "action" in data} == {1}


def test_seats_are_sent_only_if_they_changed(table: GameDriver) -> None:
    joined = update_of(table.game, table.appends[-1])
    names = [seat["player"]["name"] for seat in decoded(joined, None)["seats"]]
    assert (len(names), {BEN, CAT} <= set(names)) == (3, True)
    rolled = after_action(table, table.game.position.active, Roll())
    assert "seats" not in decoded(rolled, 0)


def test_an_update_that_does_not_lead_to_the_newest_state_has_no_turn_and_no_options(table: GameDriver) -> None:
    old = table.appends[-1]
    table.act(table.game.position.active, Roll())
    update = update_of(table.game, old)
    frame = decoded(update, 0)
    assert (frame["turn"], frame["options"], frame["your_answer"], "seats" in frame) == (None, None, None, False)
    assert decoded(update, 0, is_full=True)["game"] is None


@pytest.mark.parametrize(("ruleset", "seed"), [(ruleset, seed) for ruleset in RULESETS for seed in range(3)])
def test_an_update_has_the_parts_of_the_view_at_every_version(ruleset: str, seed: int) -> None:
    """The options are encoded from parts that are kept: they must be those of the view, for every viewer."""
    luck = Random(seed)
    table = GameDriver(ruleset, seats=3, secret=luck.randbytes(32))
    table.join(BEN, CAT)
    while not table.game.is_over:
        seat = luck.choice(table.game.waiting_for())
        update = after_action(table, seat, luck.choice(play.options(table.game, seat)))
        for viewer in VIEWERS:
            frame, full = decoded(update, viewer), decoded(update, viewer, is_full=True)
            assert frame["turn"] == msgspec.to_builtins(turn_view(table.game)) == full["game"]["turn"]
            assert frame["options"] == option_views(table.game, viewer) == full["game"]["options"]
            assert frame["your_answer"] == answer_view(table.game, viewer) == full["game"]["your_answer"]
            assert frame["version"] == full["version"] == table.game.version == full["game"]["version"]
