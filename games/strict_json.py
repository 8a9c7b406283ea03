"""JSON that strangers send, read in one way by every door: what two readers could read differently is refused."""

import json
import math
import re
from typing import Any, NoReturn

from games.rules.refused import Refused

DEEPEST = 16
ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # in the text: a NUL, or what may be half of a surrogate pair


def document(body: bytes, content_type: str = "") -> dict[str, Any]:
    """The object in a body; an empty body is an empty object.

    >>> document(b'{"type": "roll"}')
    {'type': 'roll'}
    >>> document(b"")
    {}
    """
    if not body.strip():
        return {}
    try:
        text = body.decode()
    except UnicodeDecodeError:
        _refuse("a JSON document in UTF-8")
    if _charset(content_type) not in ("utf-8", "utf8", "us-ascii", ""):
        _refuse("a JSON document in UTF-8")
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(text) > DEEPEST:
        _refuse(f"no deeper nesting than {DEEPEST}")
    found = _parsed(text)
    if not isinstance(found, dict):
        _refuse("an object")
    if ESCAPED.search(text):
        _check("", found)
    return found
