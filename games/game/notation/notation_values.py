"""Values of the text notation: words, numbers, quoted JSON, and times relative to their event."""

import json
import re
from datetime import timedelta
from typing import Any

from games.game.events import moment_of, stamp

WORD = re.compile(r"[A-Za-z0-9_.:-]+")
NUMBER = re.compile(r"-?[0-9]{1,15}")
LITERALS: dict[str, Any] = {"null": None, "true": True, "false": False}
RELATIVE = re.compile(r"([+-])([0-9]{1,10})(?:\.([0-9]{6}))?")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
JSON_START = tuple('"[{')

_json = json.JSONDecoder()


class NotationError(ValueError):
    """A text that is not in the notation."""


def is_word(text: str) -> bool:
    """Whether a text can be written without quotes: it does not look like a number or a literal."""
    return bool(WORD.fullmatch(text)) and not NUMBER.fullmatch(text) and text not in LITERALS


def written(value: Any) -> str:
    """
    >>> written("red"), written("12"), written(12), written(None), written([1, 2])
    ('red', '"12"', '12', 'null', '[1,2]')
    """
    if isinstance(value, str) and is_word(value):
        return value
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def value_at(line: str, place: int) -> tuple[Any, int]:
    """The value that begins here, and the place after it.

    >>> value_at("red 8", 0), value_at("red 8", 4), value_at("[1,2] x", 0)
    (('red', 3), (8, 5), ([1, 2], 5))
    """
    if line.startswith(JSON_START, place):
        try:
            value, end = _json.raw_decode(line, place)
        except (ValueError, RecursionError):
            raise NotationError(f"no JSON value in column {place + 1}") from None
        return value, int(end)
    found = WORD.match(line, place)
    if found is None:
        raise NotationError(f"no value in column {place + 1}")
    text = found[0]
    if text in LITERALS:
        return LITERALS[text], found.end()
    return int(text) if NUMBER.fullmatch(text) else text, found.end()


def written_time(moment: str, since: str) -> str:
    """A time as the difference to another one, in seconds, to the microsecond.

    >>> written_time("2026-01-02T12:00:20.000001Z", "2026-01-02T12:00:00.000001Z")
    '+20'
    """
    microseconds = (moment_of(moment) - moment_of(since)) // timedelta(microseconds=1)
    seconds, rest = divmod(abs(microseconds), 1_000_000)
    return f"{'-' if microseconds < 0 else '+'}{seconds}" + (f".{rest:06}" if rest else "")


def time_in(text: str, since: str) -> str:
    """
    >>> time_in("-0.000001", "2026-01-02T12:00:00.000000Z"), time_in("2026-01-02T12:00:00.000000Z", "")
    ('2026-01-02T11:59:59.999999Z', '2026-01-02T12:00:00.000000Z')
    """
    try:
        if TIME.fullmatch(text):
            return stamp(moment_of(text))
        found = RELATIVE.fullmatch(text)
        if found is not None and since:
            microseconds = int(found[2]) * 1_000_000 + int(found[3] or 0)
            return stamp(moment_of(since) + timedelta(microseconds=-microseconds if found[1] == "-" else microseconds))
    except (ValueError, OverflowError):
        pass
    raise NotationError(f"no time: {text[:40]}")
