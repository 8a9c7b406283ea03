"""Pagination of the players' lists: `limit`, and cursors of the form `after.…` or `before.…`."""

import re
from collections.abc import Mapping
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from players.database.refusal import RequestRefused

MAX_LIMIT, DEFAULT_LIMIT = 100, 20
PAGES = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
        description=f"Entries on a page; {DEFAULT_LIMIT} without it.",
    ),
    OpenApiParameter("cursor", str, description="From `next` or `previous`."),
]
CURSOR = re.compile(r"(after|before)\.(?:(-?[0-9]{1,10})\.)?([0-9a-f-]{36})")


def limit(query: Mapping[str, str]) -> int:
    given = query.get("limit", str(DEFAULT_LIMIT))
    if not re.fullmatch("[0-9]{1,3}", given) or not 1 <= int(given) <= MAX_LIMIT:
        raise RequestRefused(
            "malformed", errors=[("?limit", number_code(given), f"a whole number from 1 to {MAX_LIMIT}")]
        )
    return int(given)


def number_code(given: str) -> str:
    """The code of a parameter that should have been a number within limits.

    >>> number_code("1000"), number_code("-1"), number_code("many")
    ('out_of_range', 'out_of_range', 'wrong_type')
    """
    return "out_of_range" if given.removeprefix("-").isdecimal() else "wrong_type"


def cursor(query: Mapping[str, str], *, has_value: bool) -> tuple[str, int, UUID] | None:
    """The direction and the position of a cursor: a value and an id, or the id alone."""
    given = query.get("cursor")
    if given is None:
        return None
    read = CURSOR.fullmatch(given)
    try:
        if read is None or (read[2] is not None) != has_value:
            raise ValueError
        return read[1], int(read[2] or 0), UUID(read[3])
    except ValueError:
        raise RequestRefused("malformed", errors=[("?cursor", "wrong_format", "a cursor of this list")]) from None


def chosen(query: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    """The value of a parameter, which must be one of the choices; the first is the default."""
    given = query.get(name, choices[0])
    if given not in choices:
        raise RequestRefused("malformed", errors=[(f"?{name}", "not_one_of", f"one of {', '.join(choices)}")])
    return given


def link(request: Request, direction: str, *position: object, **others: str) -> str:
    """The URL of the page in this direction from this position."""
    url = remove_query_param(request.build_absolute_uri(), "around")
    for name, value in {**others, "cursor": ".".join(map(str, (direction, *position)))}.items():
        url = replace_query_param(url, name, value)
    return str(url)
