"""The strict JSON reader of every adapter: it refuses what two parsers could read differently."""

import json
import math
import re
from typing import Any, NoReturn

from games.rules.refused import Refused

IN_UTF_8 = "a JSON document in UTF-8"
MAX_DEPTH = 16
MAX_DIGITS = 15
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # a NUL, or what may be half of a surrogate pair


def document(body: bytes, content_type: str = "") -> dict[str, Any]:
    """The object in a body; an empty body is an empty object.

    >>> document(b'{"type": "roll"}')
    {'type': 'roll'}
    >>> document(b"")
    {}
    """
    return object_in(text_of(body, content_type))


def text_of(body: bytes, content_type: str) -> str:
    """The text of a body, which must be UTF-8 whatever its charset says."""
    if "charset" in content_type.lower() and _charset(content_type) not in ("utf-8", "utf8", "us-ascii"):
        _refuse(IN_UTF_8)
    try:
        return body.decode()
    except UnicodeDecodeError:
        _refuse(IN_UTF_8)


def object_in(text: str) -> dict[str, Any]:
    """The object in a decoded text; an empty text is an empty object."""
    text = text.strip()
    if not text:
        return {}
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        _refuse(f"no deeper nesting than {MAX_DEPTH}")
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
    """More digits would be another number to a parser that has only floating-point numbers."""
    return int(text) if len(text) <= MAX_DIGITS else _refuse(f"a whole number of at most {MAX_DIGITS} digits")


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
    """Refuse text that neither the database nor a UTF-8 response could hold."""
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
