"""All event types by name, and the JSON form in which the log stores their facts."""

from collections.abc import Callable
from typing import Any

from games.game.events import Data
from games.game.game_facts import GAME_FACTS
from games.rules.facts import DiceKept, DiceRolled, Fact, PhaseClosed, TurnStarted
from games.rules.registry import RULESETS

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

    >>> encode(TurnStarted(1, 2))
    ('turn_started', 1, {'seat': 1, 'turn': 2, 'deadline': None})
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
