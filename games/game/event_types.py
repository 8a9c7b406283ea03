"""The facts of a game around its turns, all event types by name, and the JSON form in which the log stores them."""

from collections.abc import Callable, Mapping
from typing import Any

from games.game.events import Data
from games.game.values import Value
from games.rules.facts import DiceKept, DiceRolled, Fact, PhaseClosed, TurnStarted
from games.rules.registry import RULESETS


class GameCreated(Value, Fact, frozen=True):
    """The settings, and the SHA-256 of the secret seed, which fixes the dice."""

    changes_lobby = needed_for_results = True

    ruleset: str
    sheet: str
    seats: int
    visibility: str
    rated: bool
    clock: Mapping[str, int] | None
    commitment: str
    rematch_of: str | None = None


class SeatTaken(Value, Fact, frozen=True):
    """By a player (`player`: the id) or by a bot (`bot`: the level). `late_seed`: the player has announced that they
    will send a client seed. `deadline`: every seat is taken, and the game waits until then for the announced seeds.
    Both are absent otherwise."""

    changes_seats = changes_lobby = needed_for_results = True
    optional_fields = ("late_seed", "deadline")

    seat: int
    player: str | None
    bot: str | None
    client_seed: str
    late_seed: bool = False
    deadline: str | None = None

    def due(self, deadline: str) -> "SeatTaken":
        return self._replace(deadline=deadline)


class SeedGiven(Value, Fact, frozen=True):
    """A seated player has set or replaced the client seed of their seat, before the start."""

    seat: int
    client_seed: str


class SeatLeft(Value, Fact, frozen=True):
    """`host` is the seat whose player may start the game from now on."""

    changes_seats = changes_lobby = needed_for_results = True

    seat: int
    host: int | None


class GameStarted(Value, Fact, frozen=True):
    """`seats` are the taken seats in their new order: the seat that was seats[0] is seat 0 from now on. `printings` has
    the printing of each seat, and is absent where all seats have the same sheet."""

    changes_seats = changes_lobby = needed_for_results = True
    optional_fields = ("printings",)

    first: int
    entropy: str
    seats: tuple[int, ...]
    printings: tuple[str, ...] = ()


class AnswerSealed(Value, Fact, frozen=True):
    """Only its author may see `action` and `nonce` before the phase closes."""

    secret_fields = ("action", "nonce")

    seat: int
    action: Mapping[str, Any]
    nonce: str


class TimeRanOut(Value, Fact, frozen=True):
    """The deadline has passed and these seats had not answered, or before the start had not given the client seeds that
    they announced; the consequences are the next events."""

    seats: tuple[int, ...]
    deadline: str


class SeatWentAway(Value, Fact, frozen=True):
    """Three time-outs in a row: the game does not wait for this seat until it comes back."""

    changes_seats = needed_for_results = True

    seat: int


class SeatCameBack(Value, Fact, frozen=True):
    """The game waits for the seat again."""

    changes_seats = needed_for_results = True

    seat: int


class SeatResigned(Value, Fact, frozen=True):
    """The seat has left for good."""

    changes_seats = needed_for_results = True

    seat: int


class GameEnded(Value, Fact, frozen=True):
    """Best seat first; equal points share a rank. The seed is revealed."""

    changes_lobby = needed_for_results = changes_results = True

    reason: str
    ranking: tuple[Mapping[str, int], ...]
    server_seed: str


class GameAborted(Value, Fact, frozen=True):
    """Ended without a result. The seed is revealed."""

    changes_lobby = True

    reason: str
    server_seed: str


class RematchCreated(Value, Fact, frozen=True):
    """The next game of these players; a later event replaces a next game that was over before it started."""

    next_game: str


class TimeCredited(Value, Fact, frozen=True):
    """`key` names the outage, so that it is credited once."""

    seconds: int
    deadline: str
    key: str


class ClockPaused(Value, Fact, frozen=True):
    """By staff: no deadline runs."""

    reason: str


class ClockResumed(Value, Fact, frozen=True):
    """By staff: the open phase has its whole time again."""

    reason: str
    deadline: str | None


class GameVoided(Value, Fact, frozen=True):
    """By staff: taken out of ratings and boards. The seed is revealed."""

    changes_lobby = needed_for_results = changes_results = True

    reason: str
    server_seed: str


GAME_FACTS: dict[str, type[Fact]] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seed_given": SeedGiven,
    "seat_left": SeatLeft,
    "game_started": GameStarted,
    "answer_sealed": AnswerSealed,
    "time_ran_out": TimeRanOut,
    "seat_went_away": SeatWentAway,
    "seat_came_back": SeatCameBack,
    "seat_resigned": SeatResigned,
    "game_ended": GameEnded,
    "game_aborted": GameAborted,
    "rematch_created": RematchCreated,
    "time_credited": TimeCredited,
    "clock_paused": ClockPaused,
    "clock_resumed": ClockResumed,
    "game_voided": GameVoided,
}
TURN_FACTS: dict[str, type[Fact]] = {
    "turn_started": TurnStarted,
    "dice_rolled": DiceRolled,
    "dice_kept": DiceKept,
    "phase_closed": PhaseClosed,
}
FACTS: dict[str, type[Fact]] = {**GAME_FACTS, **TURN_FACTS}
for ruleset in RULESETS.values():
    FACTS.update(ruleset.facts)
VERSIONS: dict[str, int] = {**dict.fromkeys(FACTS, 1), "dice_rolled": 2}


def _dice_as_lists(data: Data) -> Data:
    """In v 1 a die that is alone of its colour was a number."""
    dice = {colour: faces if isinstance(faces, list) else [faces] for colour, faces in data["dice"].items()}
    return {**data, "dice": dice}


# (type, v) → the data of v + 1. Old events are never rewritten; they are read through these.
UPCASTS: dict[tuple[str, int], Callable[[Data], Data]] = {("dice_rolled", 1): _dice_as_lists}

_NAMES: dict[type[Any], str] = {kind: name for name, kind in FACTS.items()}
_FIELDS: dict[type[Any], tuple[str, ...]] = {kind: kind.__match_args__ for kind in _NAMES}
# Fields that JSON can only hold as lists.
_TUPLES = {kind: tuple(name for name, hint in kind.__annotations__.items() if "tuple" in str(hint)) for kind in _NAMES}


def by_name(name: str) -> type[Fact]:
    """The class of an event type; its flags say what the event means to other packages.

    >>> by_name("dice_rolled").opens_phase, by_name("answer_sealed").secret_fields
    (True, ('action', 'nonce'))
    """
    return FACTS[name]


def encode(fact: Any) -> tuple[str, int, Data]:
    """The type, version and data with which the log stores a fact.

    >>> encode(SeatLeft(1, 0))
    ('seat_left', 1, {'seat': 1, 'host': 0})
    """
    kind = type(fact)
    name = _NAMES[kind]
    data = {field: getattr(fact, field) for field in _FIELDS[kind]}
    for field in _TUPLES[kind]:
        if type(data[field]) is tuple:
            data[field] = list(data[field])
    for field in kind.optional_fields:
        if not data[field]:
            del data[field]
    return name, VERSIONS[name], data


def decode(name: str, v: int, data: Data) -> Any:
    """The fact of a stored event of any version.

    >>> decode("seat_left", 1, {"seat": 1, "host": 0})
    SeatLeft(seat=1, host=0)
    """
    data = upcast(name, v, data)
    return FACTS[name](**{field: tuple(value) if type(value) is list else value for field, value in data.items()})


def upcast(name: str, v: int, data: Data) -> Data:
    """The data of a stored event of any version, in the form of the newest version.

    >>> upcast("dice_rolled", 1, {"seat": 0, "roll": 1, "dice": {"white": [1, 2], "red": 3}})
    {'seat': 0, 'roll': 1, 'dice': {'white': [1, 2], 'red': [3]}}
    """
    while v < VERSIONS[name]:
        v, data = v + 1, UPCASTS[name, v](data)
    return data


# The members of nested objects, in the order in which they are written.
_INNER = (
    *("type", "seat", "rank", "points", "version", "row", "column", "number", "dice", "action", "nonce"),
    *("roll_s", "answer_s", "white", "red", "orange", "yellow", "green", "blue", "purple"),
)
_PLACES = {name: place for place, name in enumerate(_INNER)}


def in_order(name: str, data: Data) -> Data:
    """The data of a stored event with its members in the order in which they were written.

    The database orders members in its own way, and a repeated request must get the same bytes again.

    >>> in_order("seat_left", {"host": 0, "seat": 1})
    {'seat': 1, 'host': 0}
    >>> in_order("dice_rolled", {"dice": {"red": [3], "white": [1, 2]}, "roll": 1, "seat": 0})
    {'seat': 0, 'roll': 1, 'dice': {'white': [1, 2], 'red': [3]}}
    """
    kind = FACTS.get(name)
    names = _FIELDS[kind] if kind else ()
    return {member: _inner(data[member]) for member in (*names, *(data.keys() - {*names})) if member in data}


def _inner(value: Any) -> Any:
    if type(value) is dict:
        return {name: _inner(value[name]) for name in sorted(value, key=lambda name: _PLACES.get(name, len(_PLACES)))}
    return [_inner(member) for member in value] if type(value) is list else value
