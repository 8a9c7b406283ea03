"""One event as a line of the text notation, and back."""

import json
import re
from collections.abc import Iterator
from typing import Any

from games.game.event_types import VERSIONS, in_order
from games.game.events import Data
from games.game.notation.notation_values import TIME, NotationError, time_in, value_at, written, written_time

# The word and the fields that need no name; events without an entry are written with their type and named fields.
SHORT: dict[str, tuple[str, tuple[str, ...]]] = {
    "game_created": ("create", ("ruleset", "sheet")),
    "seat_taken": ("sit", ("seat",)),
    "seat_left": ("stand", ("seat",)),
    "game_started": ("start", ()),
    "turn_started": ("turn", ("turn", "seat")),
    "dice_rolled": ("roll", ("roll", "seat")),
    "dice_kept": ("keep", ("seat",)),
    "answer_sealed": ("seal", ("seat",)),
    "phase_closed": ("close", ("phase",)),
    "cell_marked": ("mark", ("seat", "row", "number", "phase")),
    "number_written": ("write", ("seat", "row", "column", "number")),
    "row_closed": ("lock", ("row",)),
    "penalty_taken": ("penalty", ("seat",)),
    "throw_failed": ("fail", ("seat",)),
    "seat_resigned": ("resign", ("seat",)),
    "seat_went_away": ("away", ("seat",)),
    "seat_came_back": ("back", ("seat",)),
    "game_ended": ("end", ("reason",)),
}
TYPES = {word: name for name, (word, _) in SHORT.items()}
HEAD = re.compile(r"([a-z_]{1,40})(?:/([0-9]{1,4}))?(?: |$)")
NAMED = re.compile(r"([a-z_]{1,40})=")
DICE = re.compile(r"([a-z]{1,20}):([0-9](?:,[0-9])*)(?= |$)")
ACTION = re.compile(r"\(([^()\"]*)\)")
ACTION_FIELDS = {"mark": ("row", "number"), "write": ("row", "column")}
SEALED = "answers=sealed"  # the answers are those that were sealed since the phase began


def line_of(name: str, v: int, data: Data, at: str, sealed: list[Data]) -> str:
    """The short form, or the one with JSON where the short form would be read as something else."""
    short = " ".join(_short(name, v, data, at, sealed))
    try:
        if event_in(short, at, sealed) == (name, v, data):
            return short
    except NotationError:
        pass
    return f"{_head(name, name, v)} {json.dumps(data, sort_keys=True, separators=(',', ':'))}"


def _head(word: str, name: str, v: int) -> str:
    return word if VERSIONS.get(name) == v else f"{word}/{v}"


def _short(name: str, v: int, data: Data, at: str, sealed: list[Data]) -> Iterator[str]:
    word, positional = SHORT.get(name, (name, ()))
    yield _head(word, name, v)
    for field in positional:
        yield written(data.get(field))
    for field, value in in_order(name, data).items():
        if field not in positional:
            yield _named(field, value, at, sealed)


def _named(field: str, value: Any, at: str, sealed: list[Data]) -> str:
    if field == "deadline" and isinstance(value, str) and TIME.fullmatch(value):
        return f"deadline={written_time(value, at)}"
    if field == "answers" and value == sealed and sealed:
        return SEALED
    if field == "action" and isinstance(value, dict) and isinstance(value.get("type"), str):
        return _action(value)
    if field == "dice" and isinstance(value, dict):
        return " ".join(
            f"{colour}:{','.join(map(str, faces if isinstance(faces, list) else [faces]))}"
            for colour, faces in value.items()
        )
    return f"{field}={written(value)}"


def _action(action: Data) -> str:
    fields = ACTION_FIELDS.get(action["type"], ())
    return f"({' '.join([action['type'], *(written(action.get(field)) for field in fields)])})"


def event_in(line: str, at: str, sealed: list[Data]) -> tuple[str, int, Data]:
    """The type, the version of the type and the data of the event on a line."""
    head = HEAD.match(line)
    if head is None:
        raise NotationError("no word of an event")
    name = TYPES.get(head[1], head[1])
    v, place = int(head[2] or VERSIONS.get(name, 1)), head.end()
    if line.startswith("{", place):
        data, end = value_at(line, place)
        return name, v, data if end == len(line) else _refuse(line, end)
    data = {}
    for field in SHORT[name][1] if head[1] in TYPES else ():
        data[field], place = value_at(line, place)
        place = _after_space(line, place)
    while place < len(line):
        field, value, place = _field_at(line, place, v, at, sealed)
        if field in data:
            raise NotationError(f"{field} twice")
        data[field] = value
        place = _after_space(line, place)
    return name, v, data


def _field_at(line: str, place: int, v: int, at: str, sealed: list[Data]) -> tuple[str, Any, int]:
    if DICE.match(line, place):
        return "dice", *_dice_at(line, place, v)
    if found := ACTION.match(line, place):
        return "action", _action_in(found[1]), found.end()
    if line.startswith(SEALED, place):
        return "answers", list(sealed), place + len(SEALED)
    named = NAMED.match(line, place) or _refuse(line, place)
    if named[1] == "deadline" and line[named.end() : named.end() + 1] in ("+", "-"):
        end = line.find(" ", named.end())
        end = len(line) if end < 0 else end
        return "deadline", time_in(line[named.end() : end], at), end
    value, end = value_at(line, named.end())
    return named[1], value, end


def _dice_at(line: str, place: int, v: int) -> tuple[Data, int]:
    """In v 1 of `dice_rolled` a die that is alone of its colour was a number."""
    dice: Data = {}
    end = place
    while found := DICE.match(line, place):
        faces = [int(face) for face in found[2].split(",")]
        dice[found[1]] = faces[0] if v == 1 and len(faces) == 1 else faces
        end = found.end()
        place = end + 1
    return dice, end


def _action_in(text: str) -> Data:
    kind, _, rest = text.partition(" ")
    action: Data = {"type": kind}
    place = 0
    for field in ACTION_FIELDS.get(kind, ()):
        action[field], place = value_at(rest, place)
        place = _after_space(rest, place)
    return action if place == len(rest) else _refuse(rest, place)


def _after_space(line: str, place: int) -> int:
    if place < len(line) and line[place] != " ":
        _refuse(line, place)
    return min(place + 1, len(line))


def _refuse(line: str, place: int) -> Any:
    raise NotationError(f"unexpected text in column {place + 1}: {line[place : place + 20]}")
