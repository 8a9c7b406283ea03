"""The notifications that a commit causes, and whether the lobby shows the game again."""

from collections.abc import Iterable, Set

from games.game.aggregate import PLAYING, GameState
from games.game.event_types import by_name
from games.game.events import Data, Event
from games.game.views import turn_view

Notice = tuple[list[str], Data]  # to these players, this message


def notices(game: GameState, events: Iterable[Event]) -> list[Notice]:
    """Which players get which notification, in this order, after these events are stored."""
    found: list[Notice] = []
    types = {event.type for event in events}
    if "game_started" in types:
        found.append((people(game), started(game)))
    rematches = [event.data["next_game"] for event in events if event.type == "rematch_created"]
    found.extend((people(game), rematch_offered(game, following)) for following in rematches)
    if game.status == PLAYING:
        seats = _newly_waited_for(game, events, types)
        if players := [player for seat in seats if (player := game.participants[seat].player)]:
            found.append((players, your_turn(game)))
    return found


def _newly_waited_for(game: GameState, events: Iterable[Event], types: Set[str]) -> Iterable[int]:
    """The seats that the game has begun to wait for."""
    if any(by_name(type_).opens_phase for type_ in types):
        return game.waiting_for()
    if "seat_came_back" not in types:
        return ()
    back = {event.data["seat"] for event in events if event.type == "seat_came_back"}
    return [seat for seat in game.waiting_for() if seat in back]


def people(game: GameState) -> list[str]:
    return [participant.player for participant in game.participants if participant.player]


def started(game: GameState) -> Data:
    return {"type": "game_started", "game": game.id}


def your_turn(game: GameState) -> Data:
    return {"type": "your_turn", "game": game.id, "turn": turn_view(game)}


def match_found(ticket: str, game: str) -> Data:
    return {"type": "match_found", "ticket": ticket, "game": game}


def invited(invitation: str, game: str, by: Data) -> Data:
    return {"type": "invited", "invitation": invitation, "game": game, "by": by}


def invitation_declined(invitation: str, game: str, player: Data) -> Data:
    return {"type": "invitation_declined", "invitation": invitation, "game": game, "player": player}


def rematch_offered(game: GameState, following: str) -> Data:
    return {"type": "rematch_offered", "game": game.id, "next": following}


def shows_in_lobby(game: GameState, events: Iterable[Event]) -> bool:
    return game.setup.visibility == "public" and any(by_name(event.type).changes_lobby for event in events)
