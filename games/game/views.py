"""What a viewer may see of a game, as data for JSON; every adapter shows games through these functions."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from games.game import dice
from games.game.aggregate import OPEN, PLAYING, GameState
from games.game.bot_names import bot_profile
from games.game.decisions import play
from games.game.event_types import by_name, upcast
from games.game.events import Data, Event
from games.rules.actions import to_wire

Person = Callable[[str], Data]  # a player's id → their public profile


def seat_of(game: GameState, player: str | None) -> int | None:
    participant = game.participant_of(player) if player else None
    return participant.seat if participant else None


def may_look(game: GameState, player: str | None) -> bool:
    """Any player may watch a public game; only its own players see a private one."""
    return game.setup.visibility == "public" or seat_of(game, player) is not None


def game_view(game: GameState, seat: int | None, code: str, person: Person, server_time: str) -> Data:
    """The whole game as this seat (None: a spectator) may see it."""
    setup, position = game.setup, game.position
    seats = [] if position is None else range(len(game.participants))
    return {
        "id": game.id,
        "ruleset": setup.ruleset,
        "sheet": setup.sheet,
        "status": game.status,
        "version": game.version,
        "server_time": server_time,
        "visibility": setup.visibility,
        "code": code if seat is not None else None,
        "rated": setup.rated,
        "clock": setup.clock._asdict() if setup.clock else None,
        "size": setup.seats,
        "host": game.host,
        "seats": participant_views(game, person),
        "you": seat,
        "start": start_view(game),
        "turn": turn_view(game),
        "sheets": [
            {"seat": number, "ruleset": setup.ruleset, **game.ruleset.sheet_view(position, number)} for number in seats
        ],
        "closed_rows": [] if position is None else game.ruleset.closed_rows(position),
        "your_answer": answer_view(game, seat),
        "options": option_views(game, seat),
        "fairness": {"commitment": setup.commitment, "entropy": game.entropy or None},
        "result": game.result._asdict() if game.result else None,
        "next_game": game.next_game,
    }


def participant_views(game: GameState, person: Person) -> list[Data]:
    """The seats with the public profiles of their players and bots."""
    bots = count()
    return [
        {
            "seat": participant.seat,
            "player": person(participant.player)
            if participant.player is not None
            else bot_profile(game.id, next(bots), participant.bot or ""),
            "state": participant.state,
        }
        for participant in game.participants
    ]


def start_view(game: GameState) -> Data | None:
    """Which announced client seeds have not come, and until when a game whose seats are all taken waits for them."""
    if game.status != OPEN:
        return None
    return {"waiting_for": list(game.awaited_seeds()), "deadline_at": game.deadline}


def turn_view(game: GameState) -> Data | None:
    if game.status != PLAYING:
        return None
    position = game.position
    return {
        "number": position.turn,
        "active": position.active,
        "phase": position.phase or None,
        "roll": position.roll,
        **game.ruleset.dice_view(position),
        "waiting_for": list(game.waiting_for()),
        "deadline_at": game.deadline,
    }


def answer_view(game: GameState, seat: int | None) -> Data | None:
    """This seat's own sealed answer in the open phase."""
    for sealed in reversed(game.sealed):
        if sealed.seat == seat:
            return dict(sealed.action)
    return None


def option_views(game: GameState, seat: int | None) -> list[Data]:
    """The seat's options as actions that a client can post unchanged."""
    if seat is None or game.status != PLAYING:
        return []
    roll, phase = game.position.roll, game.position.phase
    return [{**to_wire(option), "roll": roll, "phase": phase} for option in play.options(game, seat)]


def sealed_versions(game: GameState) -> frozenset[int]:
    """The versions of the sealed answers that only their authors may see now."""
    return frozenset(sealed.version for sealed in game.sealed)


def event_views(events: Iterable[Event], seat: int | None, sealed: frozenset[int]) -> list[Data]:
    return [event_view(event, seat, sealed) for event in events]


def event_view(event: Event, seat: int | None, sealed: frozenset[int]) -> Data:
    """The envelope, without the secret fields of another seat's answer that is still sealed."""
    envelope = event.envelope()
    if event.version in sealed and event.data["seat"] != seat:
        secrets = by_name(event.type).secret_fields
        envelope["data"] = {name: value for name, value in event.data.items() if name not in secrets}
    return envelope


def proof(game: GameState, events: Sequence[Event], secret: bytes) -> Data:
    """Everything that is needed to compute every die of a game again."""
    rolls = [upcast(event.type, event.v, event.data) for event in events if event.type == "dice_rolled"]
    started: Data = next((event.data for event in events if event.type == "game_started"), {})
    return {
        "game": game.id,
        "server_seed": secret.hex(),
        "commitment": game.setup.commitment,
        "client_seeds": [participant.client_seed for participant in game.participants],
        "late_seeds": dice.late_seeds(events),
        "entropy": game.entropy or None,
        "first": started.get("first"),
        **({"printings": started["printings"]} if "printings" in started else {}),
        "rolls": [{"roll": roll["roll"], "seat": roll["seat"], "dice": roll["dice"]} for roll in rolls],
    }
