"""JSON that strangers send, read in one way by every door: what two readers could read differently is refused."""

import json
import math
import re
from typing import Any, NoReturn

from games.rules.refused import Refused

IN_UTF_8 = "a JSON document in UTF-8"
DEEPEST = 16
MOST_DIGITS = 15
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # in the text: a NUL, or what may be half of a surrogate pair


def document(body: bytes, content_type: str = "") -> dict[str, Any]:
    """The object in a body; an empty body is an empty object.

    >>> document(b'{"type": "roll"}')
    {'type': 'roll'}
    >>> document(b"")
    {}
    """
    return object_in(text_of(body, content_type))


def text_of(body: bytes, content_type: str) -> str:
    """Whatever a body says it is written in, it must be UTF-8."""
    if "charset" in content_type.lower() and _charset(content_type) not in ("utf-8", "utf8", "us-ascii"):
        _refuse(IN_UTF_8)
    try:
        return body.decode()
    except UnicodeDecodeError:
        _refuse(IN_UTF_8)


def object_in(text: str) -> dict[str, Any]:
    """The object in a text that has been decoded; an empty one is an empty object."""
    text = text.strip()
    if not text:
        return {}
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        _refuse(f"no deeper nesting than {DEEPEST}")
    found = _parsed(text)
    if not isinstance(found, dict):
        _refuse("an object")
    if "\\u" in text and ESCAPED.search(text):
        _check("", found)
    return found


def _parsed(text: str) -> Any:
    try:
        found, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        _refuse("a JSON document")
    return found if end == len(text) else _refuse("a JSON document")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("no member twice")
    return found


def _not_finite(_: str) -> NoReturn:
    _refuse("a finite number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _not_finite(text)


def _whole(text: str) -> int:
    """Beyond this, readers that know only floating-point numbers would read another one."""
    return int(text) if len(text) <= MOST_DIGITS else _refuse(f"a whole number of at most {MOST_DIGITS} digits")


def _depth(text: str) -> int:
    """
    >>> _depth('[{"a": "[[["}]')
    2
    """
    deepest = depth = 0
    for bracket in re.findall(r"[\[\]{}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _check(pointer: str, value: Any) -> None:
    """No text that a database or a UTF-8 answer could not hold."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check(pointer, name)
            _check(f"{pointer}/{name}", inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check(f"{pointer}/{number}", inner)
    elif isinstance(value, str) and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
        _refuse("no NUL and no lone surrogate", pointer)


def _charset(content_type: str) -> str:
    """
    >>> _charset("application/json; charset=Latin-1")
    'latin-1'
    """
    found = re.search(r";\s*charset=\"?([^\s;\"]*)", content_type.lower())
    return found[1] if found else ""


def _refuse(wanted: str, pointer: str = "") -> NoReturn:
    raise Refused("malformed", errors=[(pointer, wanted)])


DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_finite, parse_float=_finite, parse_int=_whole)
