"""The strict JSON reader of every adapter: it refuses what two parsers could read differently."""

import json
import math
from typing import Any, NoReturn

from games.rules.refused import Refused

IN_UTF_8 = "a JSON document in UTF-8"
MAX_DEPTH = 16
MAX_DIGITS = 15
CONTAINERS = {dict, list}
DEEP = f"no deeper nesting than {MAX_DEPTH}"


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
    """The object in a decoded text; an empty text is an empty object.

    The text is parsed first, in linear time; depth and strings are checked on the parsed value.
    """
    text = text.strip()
    if not text:
        return {}
    found = _parsed(text)
    if not isinstance(found, dict):
        _refuse("an object", "wrong_type")
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(found)
    if "\\u" in text:  # without an escape, a string has neither a NUL nor half of a surrogate pair
        _check_strings(found)
    return found


def _parsed(text: str) -> Any:
    try:
        found, end = DECODER.raw_decode(text)
    except RecursionError:  # the parser's own limit, which is far above ours
        _refuse(DEEP, "out_of_range")
    except ValueError:
        _refuse("a JSON document")
    return found if end == len(text) else _refuse("a JSON document")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("no member twice", "not_unique")
    return found


def _not_finite(_: str) -> NoReturn:
    _refuse("a finite number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse("a finite number", "out_of_range")


def _whole(text: str) -> int:
    """More digits would be another number to a parser that has only floating-point numbers."""
    return (
        int(text)
        if len(text) <= MAX_DIGITS
        else _refuse(f"a whole number of at most {MAX_DIGITS} digits", "out_of_range")
    )


def _check_depth(found: dict[str, Any]) -> None:
    """Refuse an object that is nested deeper than MAX_DEPTH. It looks at the values of one level after the other."""
    level: list[Any] = [found]
    for _ in range(MAX_DEPTH):
        members = [each.values() if type(each) is dict else each for each in level]
        level = [inner for inners in members for inner in inners if type(inner) in CONTAINERS]
        if not level:
            return
    _refuse(DEEP, "out_of_range")


def _check_strings(found: dict[str, Any]) -> None:
    """Refuse text that neither the database nor a UTF-8 response could hold."""
    path = _path_to_bad_string(found)
    if path is not None:
        _refuse("no NUL and no lone surrogate", pointer="".join([f"/{step}" for step in reversed(path)]))


def _path_to_bad_string(value: dict[str, Any] | list[Any]) -> list[str | int] | None:
    """The steps to the first string that cannot be stored, innermost first.

    A path is built only once such a string is found: building one per member takes quadratic time on long names.
    """
    for step, inner in value.items() if type(value) is dict else enumerate(value):
        if type(step) is str and not _is_storable(step):
            return []
        if type(inner) is str and not _is_storable(inner):
            return [step]
        path = _path_to_bad_string(inner) if type(inner) in CONTAINERS else None
        if path is not None:
            return [*path, step]
    return None


def _is_storable(text: str) -> bool:
    """
    >>> _is_storable("né"), _is_storable("a\\0"), _is_storable("\\ud800")
    (True, False, False)
    """
    if text.isascii():
        return "\0" not in text
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _charset(content_type: str) -> str:
    """
    >>> _charset("application/json; charset=Latin-1"), _charset('application/json;charset="UTF-8"; a=b')
    ('latin-1', 'utf-8')
    """
    for parameter in content_type.lower().split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip('"')
    return ""


def _refuse(wanted: str, code: str = "wrong_format", pointer: str = "") -> NoReturn:
    raise Refused("malformed", errors=[(pointer, code, wanted)])


DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_finite, parse_float=_finite, parse_int=_whole)
