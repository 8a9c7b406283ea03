"""Reads requests of the hot routes: session and rate limit, headers, query and body."""

import re
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from games.game import strict_json
from games.rules.refused import Refused
from players.database.ids import text_of
from players.limits.rate_limits import limits
from players.sessions.authentication import AuthenticatedSession, authenticate

NO_VERSION = 2**31 - 1  # no log gets so long
MOST_PARAMETERS = 50


async def session_of(request: Request, limit: str, ticket: str | None = None) -> AuthenticatedSession:
    """Who calls; refused if their session has used up its rate limit."""
    session = await authenticate(header(request, "authorization"), ticket)
    retry_after = limits.take(limit, text_of(session.identity.session), time.monotonic())
    if retry_after is not None:
        raise Refused("too_many_requests", retry_after=retry_after)
    return session


def player_of(session: AuthenticatedSession) -> str:
    return text_of(session.identity.player)


def header(request: Request, name: str) -> str | None:
    """A header given twice is a list (RFC 9110, 5.3), as in Django: two tokens are not a token."""
    values = request.headers.getlist(name)
    return ", ".join(values) if values else None


def query(request: Request) -> Mapping[str, str]:
    """A parameter given twice counts as its last."""
    if len(request.query_params.multi_items()) > MOST_PARAMETERS:
        raise Refused("malformed", errors=[("", f"no more than {MOST_PARAMETERS} parameters")])
    return request.query_params


async def json_text(request: Request) -> str:
    """The text of a body that is declared as JSON, or not declared; it is parsed later."""
    content_type = header(request, "content-type") or "application/json"
    body = await request.body()
    if content_type.split(";")[0].strip().lower() != "application/json":
        raise Refused("unsupported_media_type")
    return strict_json.text_of(body, content_type)


def json_response(content: Any, headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(content), headers=headers, media_type="application/json")


def number(query: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number from the query; one outside its range is malformed."""
    given = query.get(name)
    if given is None:
        return default
    value = whole(given)
    if value is None or not least <= value <= most:
        raise Refused("malformed", errors=[(f"?{name}", f"a whole number from {least} to {most}")])
    return value


def version(query: Mapping[str, str], name: str, default: int) -> int:
    """A version from the query; one that no log can have is cut to one that this log does not have."""
    given = query.get(name)
    if given is None:
        return default
    value = whole(given)
    if value is None:
        raise Refused("malformed", errors=[(f"?{name}", "a whole number")])
    return max(-1, min(value, NO_VERSION))


def whole(text: str) -> int | None:
    """A number of too many digits is cut, and stays too large.

    >>> whole("042"), whole("-1"), whole("0"), whole("4.2"), whole("9" * 5000) == 10**20 - 1
    (42, -1, 0, None, True)
    """
    found = re.fullmatch(r"(-?)([0-9]+)", text)
    return int(found[1] + "0" + found[2].lstrip("0")[:20]) if found else None


def flag(query: Mapping[str, str], name: str) -> bool:
    """`true` or `false` and nothing else: a preview must never be taken for an action."""
    given = query.get(name, "false")
    if given not in ("true", "false"):
        raise Refused("malformed", errors=[(f"?{name}", "true or false")])
    return given == "true"
