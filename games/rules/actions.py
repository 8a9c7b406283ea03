"""The actions that a seat can send, and their JSON form; whether an action is allowed is decided by the rulesets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from games.rules.refused import Refused


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice; in Qwinto those of the named colours."""

    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Cross a number out."""

    row: str
    number: int


@dataclass(frozen=True, slots=True)
class Write:
    """Write the sum of the dice into a cell."""

    row: str
    column: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Mark or write nothing."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the dice as they were rolled."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """Roll the same dice once more; the second result counts."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game for good."""


@dataclass(frozen=True, slots=True)
class Return:
    """End the state `away`."""


Error = tuple[str, str, str]  # a pointer into the body, a code, and what was expected
Action = Roll | Mark | Write | Pass | Keep | Reroll | Resign | Return

ACTIONS: dict[str, type[Action]] = {
    "roll": Roll,
    "mark": Mark,
    "write": Write,
    "pass": Pass,
    "keep": Keep,
    "reroll": Reroll,
    "resign": Resign,
    "return": Return,
}
PASS = Pass()  # shared, because it is the most frequent answer
_NAMES: dict[type[Action], str] = {kind: name for name, kind in ACTIONS.items()}
_FIELDS: dict[type[Action], tuple[str, ...]] = {kind: tuple(f.name for f in fields(kind)) for kind in _NAMES}
_TEXT, _NUMBER = "a text", "a whole number"
_SHAPES = {"row": _TEXT, "number": _NUMBER, "column": _NUMBER, "dice": "a list of texts"}


class Request(NamedTuple):
    """An action as the client sent it, with the roll and the phase that it answers, if they are named."""

    action: Action
    roll: int | None = None
    phase: str | None = None


def to_wire(action: Action) -> dict[str, Any]:
    """
    >>> to_wire(Mark("red", 5))
    {'type': 'mark', 'row': 'red', 'number': 5}
    >>> to_wire(Roll(("yellow", "purple")))
    {'type': 'roll', 'dice': ['yellow', 'purple']}
    """
    if type(action) is Mark:  # the fast path: every view holds about a dozen marks
        return {"type": "mark", "row": action.row, "number": action.number}
    if action is PASS:
        return {"type": "pass"}
    wire: dict[str, Any] = {"type": _NAMES[type(action)]}
    for name in _FIELDS[type(action)]:
        value = getattr(action, name)
        if name != "dice":
            wire[name] = value
        elif value:
            wire[name] = list(value)
    return wire


def from_wire(wire: Mapping[str, Any]) -> Action:
    """The action of a wire form that is known to be valid, such as one from the log."""
    if wire["type"] == "pass":
        return PASS
    values = {name: value for name, value in wire.items() if name != "type"}
    if "dice" in values:
        values["dice"] = tuple(values["dice"])
    return ACTIONS[wire["type"]](**values)


def read(raw: object) -> Request:
    """The request in an unchecked body; a refusal lists all errors at once.

    >>> read({"type": "mark", "row": "red", "number": 5, "roll": 7})
    Request(action=Mark(row='red', number=5), roll=7, phase=None)
    """
    if not isinstance(raw, dict):
        raise Refused("malformed", errors=[("", "wrong_type", "an object")])
    kind = ACTIONS.get(raw["type"]) if isinstance(raw.get("type"), str) else None
    errors = _token_errors(raw)
    if kind is None:
        raise Refused("malformed", errors=[_type_error(raw), *errors])
    names = _FIELDS[kind]
    errors = [error for name in names for error in _member_errors(name, raw)] + errors
    if errors:
        raise Refused("malformed", errors=errors)
    values = {"type": raw["type"], **{name: raw[name] for name in names if name in raw}}
    return Request(from_wire(values), raw.get("roll"), raw.get("phase"))


def _type_error(raw: Mapping[str, Any]) -> Error:
    code = "missing" if "type" not in raw else "not_one_of" if _is_text(raw["type"]) else "wrong_type"
    return "/type", code, f"one of {', '.join(ACTIONS)}"


def _member_errors(name: str, raw: Mapping[str, Any]) -> list[Error]:
    if name not in raw:
        return [] if name == "dice" else [(f"/{name}", "missing", _SHAPES[name])]
    value = raw[name]
    if name == "dice":
        fits = isinstance(value, list) and all(isinstance(die, str) for die in value)
    else:
        fits = _is_text(value) if _SHAPES[name] is _TEXT else _is_number(value)
    return [] if fits else [(f"/{name}", "wrong_type", _SHAPES[name])]


def _token_errors(raw: Mapping[str, Any]) -> list[Error]:
    roll, phase = raw.get("roll"), raw.get("phase")
    errors = [] if roll is None or _is_number(roll) else [("/roll", "wrong_type", _NUMBER)]
    return errors if phase is None or _is_text(phase) else [*errors, ("/phase", "wrong_type", _TEXT)]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
