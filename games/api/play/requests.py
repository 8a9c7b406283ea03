"""Reads requests of the hot routes: session and rate limit, headers, query and body."""

import re
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from games.game.json import strict_json
from games.rules.refused import Refused
from players.database.ids import text_of
from players.languages.accept_language import LOCALE
from players.limits.budgets import QUERY_PARAMETERS
from players.limits.rate_limits import SPENT, limit_for, limits
from players.sessions.authentication import AuthenticatedSession, authenticate
from players.telemetry import log_context

NO_VERSION = 2**31 - 1  # no log gets so long


async def session_of(request: Request, operation: str, limit: str, ticket: str | None = None) -> AuthenticatedSession:
    """The session of the caller; refused if its token lacks the scope of the operation, or its rate limit is spent."""
    log_context.add(route=operation)
    session = await authenticate(header(request, "authorization"), operation, ticket)
    log_context.add(player=text_of(session.identity.player))
    request.scope[LOCALE] = session.identity.locale
    limit = limit_for(limit, is_bot=session.identity.is_bot)
    request.scope[SPENT] = spent = limits.spend(limit, text_of(session.identity.session), time.monotonic())
    if spent.retry_after is not None:
        raise Refused("too_many_requests", retry_after=spent.retry_after)
    return session


def player_of(session: AuthenticatedSession) -> str:
    return text_of(session.identity.player)


def header(request: Request, name: str) -> str | None:
    """A header given twice is a list (RFC 9110, 5.3), as in Django: two tokens are not a token."""
    values = request.headers.getlist(name)
    return ", ".join(values) if values else None


def query(request: Request) -> Mapping[str, str]:
    """A parameter given twice counts as its last."""
    if len(request.query_params.multi_items()) > QUERY_PARAMETERS:
        raise Refused("malformed", errors=[("?", "too_long", f"no more than {QUERY_PARAMETERS} parameters")])
    return request.query_params


def refuse_parameters(request: Request, apart_from: Collection[str] = ()) -> None:
    """For actions: if unknown parameters were ignored, an action that the client did not mean might be played."""
    if request.scope["query_string"] and (names := [name for name in query(request) if name not in apart_from]):
        raise Refused("malformed", errors=[(f"?{name[:64]}", "unknown", "") for name in names])


async def json_text(request: Request) -> str:
    """The text of a body that is declared as JSON, or not declared; it is parsed later."""
    content_type = header(request, "content-type") or "application/json"
    body = await request.body()
    if content_type.split(";")[0].strip().lower() != "application/json":
        raise Refused("unsupported_media_type")
    return strict_json.text_of(body, content_type)


def json_response(content: Any, headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(content), headers=headers, media_type="application/json")


def all_of(*readings: Callable[[], int]) -> list[int]:
    """The values of several parameters; the errors of all of them are told at once."""
    values: list[int] = []
    errors: list[Any] = []
    for reading in readings:
        try:
            values.append(reading())
        except Refused as refused:
            errors += cast("list[Any]", refused.data["errors"])
    if errors:
        raise Refused("malformed", errors=errors)
    return values


def number(query: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number from the query; one outside its range is malformed."""
    given = query.get(name)
    if given is None:
        return default
    value = whole(given)
    if value is None or not least <= value <= most:
        code = "wrong_type" if value is None else "out_of_range"
        raise Refused("malformed", errors=[(f"?{name}", code, f"a whole number from {least} to {most}")])
    return value


def version(query: Mapping[str, str], name: str, default: int) -> int:
    """A version from the query; a number above NO_VERSION, which no log reaches, is read as NO_VERSION."""
    given = query.get(name)
    return default if given is None else whole_number(given, f"?{name}")


def whole_number(given: str, pointer: str) -> int:
    value = whole(given)
    if value is None:
        raise Refused("malformed", errors=[(pointer, "wrong_type", "a whole number")])
    return max(-1, min(value, NO_VERSION))


def whole(text: str) -> int | None:
    """A whole number in decimal digits; one of more than 20 digits is cut, and is still larger than any limit.

    >>> whole("042"), whole("-1"), whole("0"), whole("4.2"), whole("9" * 5000) == 10**20 - 1
    (42, -1, 0, None, True)
    """
    found = re.fullmatch(r"(-?)([0-9]+)", text)
    return int(found[1] + "0" + found[2].lstrip("0")[:20]) if found else None
