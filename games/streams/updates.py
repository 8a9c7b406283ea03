"""Events on their way to many viewers: each encoded once for those who may see all of it, and once for the others."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.game import play
from games.game.aggregate import Game
from games.game.events import Event
from games.game.views import answer_view, event_view, sealed_versions, turn_view
from games.rules.actions import Action, to_wire
from games.streams import frames
from games.streams.socket_writer import Bundle

NOBODY = None  # who does not sit at the table sees what a spectator sees
# These by themselves change nothing of what a seat may do; but for a sealed answer, to its author.
QUIET = frozenset(("game_created", "seat_taken", "seat_left", "rematch_created", "answer_sealed"))


_json = msgspec.json.Encoder().encode


class Batch:
    """Consecutive events, and the game after them."""

    __slots__ = (
        *("events", "first", "game", "last"),
        *("_bundles", "_encoded", "_movers", "_moves_all", "_sealed", "_shared", "_turn"),
    )

    def __init__(self, game: Game, events: Sequence[Event]) -> None:
        self.game, self.events = game, events
        self.first, self.last = events[0].version, events[-1].version
        self._sealed = sealed_versions(game)
        self._moves_all = not QUIET.issuperset([event.type for event in events])
        self._movers = [event.data["seat"] for event in events if event.type == "answer_sealed"]
        self._turn: msgspec.Raw | None = None
        self._encoded: dict[tuple[int, bool], bytes] = {}
        self._bundles: dict[int | None, Bundle] = {}
        self._shared: dict[int | None, Bundle] = {}

    def bundle(self, seat: int | None) -> Bundle:
        """All of it, as a seat may see it; then what this seat may do now, if that has changed."""
        is_mover = seat in self._movers
        if not (is_mover or self._moves_all):
            return self._news(NOBODY)
        found = self._bundles.get(seat)
        if found is None:
            news = self._news(seat if is_mover else NOBODY)
            found = self._bundles[seat] = Bundle(self._view(seat), shared=news)
        return found

    def _news(self, seat: int | None) -> Bundle:
        """The events alone: whoever has sealed nothing in them sees what a spectator sees."""
        found = self._shared.get(seat)
        if found is None:
            found = self._shared[seat] = Bundle(*self.frames(seat))
        return found

    def frames(self, seat: int | None, after: int = 0) -> list[bytes]:
        return [self._frame(event, seat) for event in self.events if event.version > after]

    def _frame(self, event: Event, seat: int | None) -> bytes:
        is_whole = event.version not in self._sealed or event.data["seat"] == seat
        found = self._encoded.get((event.version, is_whole))
        if found is None:
            envelope: Any = event_view(event, seat, self._sealed)
            found = self._encoded[event.version, is_whole] = frames.EventFrame(envelope).encode()
        return found

    def _view(self, seat: int | None) -> bytes:
        """The turn is the same for all seats, and written once."""
        if self._turn is None:
            self._turn = msgspec.Raw(_json(turn_view(self.game)))
        return _view(self.game, seat, self._turn)


def view(game: Game, seat: int | None) -> bytes:
    """What a seat may do now."""
    return _view(game, seat, turn_view(game))


def _view(game: Game, seat: int | None, turn: Any) -> bytes:
    options: Any = msgspec.Raw(_options(game, seat))
    answer: Any = answer_view(game, seat) if game.sealed else None
    return frames.View(game.version, turn, options, answer).encode()


def _options(game: Game, seat: int | None) -> bytes:
    """The JSON of `views.option_views`. Only the roll and the phase of an option change between offers."""
    options = () if seat is None else play.options(game, seat)
    if not options:
        return b"[]"
    end = b',"roll":%d,"phase":"%b"}' % (game.position.roll, game.position.phase.encode())
    return b"[" + (end + b",").join([(_known.get(id(option)) or _learnt(option))[1] for option in options]) + end + b"]"


# An option but for its end, found by which object it is: the rules offer the same ones again and again. What is known
# is kept, so that no other object can come to have its number.
_known: dict[int, tuple[Action, bytes]] = {}
MOST_KNOWN = 4096


def _learnt(option: Action) -> tuple[Action, bytes]:
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[id(option)] = found = option, _json(to_wire(option))[:-1]
    return found
