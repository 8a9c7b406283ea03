"""Encodes the update frame of a commit once for each kind of viewer."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from games import clock
from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.event_types import FACTS
from games.game.events import Data, Event, stamp
from games.game.views import Person, answer_view, event_views, game_view, participant_views, sealed_versions, turn_view
from games.rules.actions import Action, to_wire
from games.streams import frames

PORTION = 100  # events in one update
SEAT_CHANGES = frozenset(name for name, kind in FACTS.items() if kind.changes_seats)

_json = msgspec.json.Encoder().encode


def changes_seats(events: Sequence[Event]) -> bool:
    return not SEAT_CHANGES.isdisjoint([event.type for event in events])


class GameSnapshot:
    """The newest state of a game with what a full view needs besides it: its code and the profiles of its players."""

    __slots__ = ("code", "game", "person")

    def __init__(self, game: GameState, code: str, person: Person) -> None:
        self.game, self.code, self.person = game, code, person

    def view(self, seat: int | None) -> Data:
        return game_view(self.game, seat, self.code, self.person, stamp(clock.now()))


class UpdateEncoder:
    """Consecutive events and the newest state. Unless they lead to it, the update has no turn and no options."""

    __slots__ = ("_events", "_sealers", "_snapshot", "_texts", "_turn", "events", "first", "is_newest", "last", "seats")

    def __init__(self, snapshot: GameSnapshot, events: Sequence[Event], *, seats_changed: bool) -> None:
        self._snapshot, self.events = snapshot, events
        self.first, self.last = events[0].version, events[-1].version
        self.is_newest = self.last == snapshot.game.version
        self.seats: Any = msgspec.UNSET
        if seats_changed and self.is_newest:
            self.seats = participant_views(snapshot.game, snapshot.person)
        sealed = sealed_versions(snapshot.game)
        self._sealers = {event.data["seat"] for event in events if event.version in sealed}
        self._events: dict[int | None, Any] = {}
        self._turn: Any = None
        self._texts: dict[tuple[int | None, bool], str] = {}

    def text(self, seat: int | None, *, is_full: bool) -> str:
        """The frame for a seat; None: for a spectator."""
        found = self._texts.get((seat, is_full))
        if found is None:
            frame = self._full_frame(seat) if is_full else self._update_frame(seat)
            found = self._texts[seat, is_full] = frame.encode()
        return found

    def _update_frame(self, seat: int | None) -> frames.Update:
        events, game = self._event_views(seat), self._snapshot.game
        if not self.is_newest:
            return frames.Update(self.last, events, None, None, None)
        if self._turn is None:
            self._turn = msgspec.Raw(_json(turn_view(game)))
        options: Any = msgspec.Raw(encode_options(game, seat))
        answer: Any = answer_view(game, seat) if game.sealed else None
        return frames.Update(self.last, events, self._turn, options, answer, self.seats)

    def _full_frame(self, seat: int | None) -> frames.FullUpdate:
        game: Any = self._snapshot.view(seat) if self.is_newest else None
        return frames.FullUpdate(self.last, self._event_views(seat), game)

    def _event_views(self, seat: int | None) -> Any:
        """Encoded once for all viewers who sealed none of these events: they see the same."""
        author = seat if seat in self._sealers else None
        found = self._events.get(author)
        if found is None:
            views = event_views(self.events, author, sealed_versions(self._snapshot.game))
            found = self._events[author] = msgspec.Raw(_json(views))
        return found


def encode_options(game: GameState, seat: int | None) -> bytes:
    """The JSON of `views.option_views`; of one option only the roll and the phase change between offers."""
    options = () if seat is None else play.options(game, seat)
    if not options:
        return b"[]"
    end = b',"roll":%d,"phase":"%b"}' % (game.position.roll, game.position.phase.encode())
    return b"[" + b",".join([_option_start(option) + end for option in options]) + b"]"


@lru_cache(maxsize=4096)
def _option_start(option: Action) -> bytes:
    return _json(to_wire(option))[:-1]
