"""A game of two players from a fixed seed; its views and events are the examples in the documents."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from games.game import views
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.game.dice import DiceSource
from games.game.events import Data, Event, stamp
from games.rules.actions import Request, to_wire
from games.rules.registry import RULESETS

GAME = "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11"
CODE = "K7QXM2"
SEED = bytes(range(32))
ANN: Data = {"id": "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57", "name": "Ann", "is_guest": True, "is_bot": False}
BOB: Data = {"id": "01926f3a-9d10-7a02-b1c7-2e4f6a8b0c9d", "name": "Bob", "is_guest": False, "is_bot": False}
PEOPLE = {ANN["id"]: ANN, BOB["id"]: BOB}
CREATED = datetime(2026, 1, 31, 11, 50, 0, tzinfo=UTC)
SHOWN_TURN = 4  # the example is taken from this turn


class PlayedCommand(NamedTuple):
    """A command: the game before it, the action if it was one, its events, the game after it."""

    before: GameState | None
    action: Data
    events: tuple[Event, ...]
    game: GameState


def _moment(number: int, game: GameState | None) -> Moment:
    dice = DiceSource(SEED, GAME, game.entropy if game else "")
    return Moment(CREATED + timedelta(seconds=5 * number), dice, f"{number:032x}")


def _append(before: GameState | None, draft: Draft, action: Data) -> PlayedCommand:
    events = draft.events()
    return PlayedCommand(before, action, events, draft.result(events))


@cache
def appends() -> tuple[PlayedCommand, ...]:
    """Each seat takes its first option, which is a mark where there is one."""
    found = [_append(None, lobby.create(GAME, game_settings.Settings("qwixx"), ANN["id"], None, _moment(0, None)), {})]
    opened = found[0].game
    found.append(_append(opened, lobby.join(opened, BOB["id"], "my-own-luck", _moment(1, opened)), {}))
    while not (game := found[-1].game).is_over:
        seat, moment = game.waiting_for()[-1], _moment(len(found), game)
        request = Request(play.options(game, seat)[0], game.position.roll, game.position.phase)
        action = {**to_wire(request.action), "roll": request.roll, "phase": request.phase}
        draft = play.act(game, game.participants[seat].player or "", request, moment)
        found.append(_append(game, draft, action))
    return tuple(found)


def game_view(game: GameState, seat: int | None = 0) -> Data:
    """As the creator sees it."""
    time = stamp(datetime.fromisoformat(game.at) + timedelta(milliseconds=20))
    return views.game_view(game, seat, CODE, PEOPLE.__getitem__, time)


def event_views(append: PlayedCommand) -> list[Data]:
    return views.event_views(append.events, 0, views.sealed_versions(append.game))


@cache
def shown() -> PlayedCommand:
    """The creator marks a number by the white sum; the other seat has already answered."""
    return next(
        each
        for each in appends()
        if each.before is not None
        and each.before.position is not None
        and each.before.position.turn >= SHOWN_TURN
        and each.before.waiting_for() == (0,)
        and each.action["type"] == "mark"
        and each.before.position.phase == "white"
    )


def view_before() -> Data:
    before = shown().before
    if before is None:
        raise ValueError("an action has a game before it")
    return game_view(before)


def created() -> Data:
    return game_view(appends()[0].game)


def joined() -> Data:
    """As the player sees it who has taken the last seat."""
    return game_view(appends()[1].game, seat=1)


def acted() -> Data:
    return {"version": shown().game.version, "events": event_views(shown()), "game": game_view(shown().game)}


def opening_events() -> list[Data]:
    """From the creation to the first action."""
    return [event for each in appends()[:3] for event in event_views(each)]


def proof() -> Data:
    """With the first rolls of the game."""
    found = views.proof(appends()[-1].game, [event for each in appends() for event in each.events], SEED)
    return {**found, "rolls": found["rolls"][:3]}


def rulesets() -> Data:
    """Each ruleset with its first sheet."""
    found = []
    for ruleset in RULESETS.values():
        printed = ruleset.description()
        seats = [ruleset.seats[0], ruleset.seats[-1]]
        found.append({"key": ruleset.key, "seats": seats, **printed, "sheets": printed["sheets"][:1]})
    return {"results": found}
