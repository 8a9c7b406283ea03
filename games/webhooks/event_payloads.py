"""What the log of a game means to webhooks: the same notices that streams send, and the end of the game."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import msgspec

from games.game.aggregate import PLAYING, GameState, fold
from games.game.events import Data, Event
from games.game.views import seat_of
from games.live.notifications import notices
from players.ratings.game_results import ShownRatingChange

STARTED, YOUR_TURN, FINISHED, RATING_CHANGED = "game.started", "game.your_turn", "game.finished", "rating.changed"
TYPES = (STARTED, YOUR_TURN, FINISHED, RATING_CHANGED)  # in the order of the messages of one version
OF_NOTICES = {"game_started": STARTED, "your_turn": YOUR_TURN}


class Occurrence(NamedTuple):
    """Something that webhooks report about one player."""

    version: int  # of the game, when it happened
    at: str
    type: str
    player: str
    data: Data

    @property
    def body(self) -> str:
        return msgspec.json.encode({"type": self.type, "timestamp": self.at, "data": self.data}).decode()


class GameHistory(NamedTuple):
    game: GameState
    occurrences: list[Occurrence]


def history(log: Iterable[Event], after: int) -> GameHistory:
    """The game, and what happened in it after a version at which an append ended.

    The events of one append share their time: a seat is asked by the state after all of them.
    """
    game: GameState | None = None
    found: list[Occurrence] = []
    for (_, is_new), events in groupby(log, lambda event: (event.at, event.version > after)):
        appended = tuple(events)
        was_playing = game is not None and game.status == PLAYING
        game = fold(game, appended)
        if is_new:
            found += _occurrences(game, appended, was_playing=was_playing)
    return GameHistory(fold(game, ()), found)


def _occurrences(game: GameState, events: tuple[Event, ...], *, was_playing: bool) -> Iterator[Occurrence]:
    for players, notice in notices(game, events):
        for player in players:
            type_ = OF_NOTICES[notice["type"]]
            data = _setup(game) if type_ == STARTED else {"turn": notice["turn"]}
            yield _occurrence(game, type_, player, data)
    if game.is_over and (was_playing or any(event.type == "game_started" for event in events)):
        result = game.result._asdict() if game.result else None
        for participant in game.participants:
            if participant.player:
                yield _occurrence(game, FINISHED, participant.player, {"status": game.status, "result": result})


def _setup(game: GameState) -> Data:
    setup = game.setup
    return {
        "ruleset": setup.ruleset,
        "sheet": setup.sheet,
        "seats": len(game.participants),
        "visibility": setup.visibility,
        "rated": setup.rated,
    }


def _occurrence(game: GameState, type_: str, player: str, data: Data) -> Occurrence:
    about = {"game": game.id, "version": game.version, "player": player, "seat": seat_of(game, player)}
    return Occurrence(game.version, game.at, type_, player, {**about, **data})


def rating_occurrence(game: GameState, change: ShownRatingChange, at: str) -> Occurrence:
    """The rating follows from the game after its end: at the version that the log has then."""
    rating = {"value": change.after, "before": change.before, "provisional": change.provisional}
    data = {"ruleset": change.ruleset, "rating": rating}
    return _occurrence(game, RATING_CHANGED, str(change.player), data)._replace(at=at)
