"""The notifications that a commit causes, and whether the lobby shows the game again."""

from collections.abc import Iterable, Set

from games.game.aggregate import PLAYING, Game
from games.game.events import Data, Event
from games.game.views import turn_view

Notice = tuple[list[str], Data]  # to these players, this message

# After these events the game waits for answers to a new question.
OPENERS = frozenset(("turn_started", "dice_rolled", "dice_kept", "phase_closed"))
# Events that change a game's summary in the lobby; the moves of a game in progress do not.
SHOWN = frozenset(
    ("game_created", "seat_taken", "seat_left", "game_started", "game_ended", "game_aborted", "game_voided")
)


def notices(game: Game, events: Iterable[Event]) -> list[Notice]:
    """Which players get which notification, in this order, after these events are stored."""
    found: list[Notice] = []
    types = {event.type for event in events}
    if "game_started" in types:
        found.append(([participant.player for participant in game.participants if participant.player], started(game)))
    if game.status == PLAYING:
        seats = _asked_anew(game, events, types)
        if players := [player for seat in seats if (player := game.participants[seat].player)]:
            found.append((players, your_turn(game)))
    return found


def _asked_anew(game: Game, events: Iterable[Event], types: Set[str]) -> Iterable[int]:
    """The seats for which the game waits since these events."""
    if not OPENERS.isdisjoint(types):
        return game.waiting_for()
    if "seat_came_back" not in types:
        return ()
    back = {event.data["seat"] for event in events if event.type == "seat_came_back"}
    return [seat for seat in game.waiting_for() if seat in back]


def started(game: Game) -> Data:
    return {"type": "game_started", "game": game.id}


def your_turn(game: Game) -> Data:
    return {"type": "your_turn", "game": game.id, "turn": turn_view(game)}


def match_found(ticket: str, game: str) -> Data:
    return {"type": "match_found", "ticket": ticket, "game": game}


def invited(invitation: str, game: str, by: Data) -> Data:
    return {"type": "invited", "invitation": invitation, "game": game, "by": by}


def shows_in_lobby(game: Game, events: Iterable[Event]) -> bool:
    return game.setup.visibility == "public" and any(event.type in SHOWN for event in events)
