"""Adds to the OpenAPI document what all operations share: problem documents, headers, tags and the introduction."""

from collections.abc import Iterator
from typing import Any

from players.sessions import scopes
from qwixx_service.documents.problem_responses import (
    PROBLEM,
    RATE_LIMIT,
    Json,
    codes_by_status,
    example,
    header_refs,
    problem_response,
)
from qwixx_service.documents.version import version
from qwixx_service.http.errors import MEANINGS, STATUS

TAGS = {
    "games": "Games, actions and their records.",
    "matchmaking": "The queue for opponents.",
    "invitations": "Invitations and quick phrases.",
    "players": "Guests, accounts and profiles.",
    "webhooks": "Events of my games, sent to a URL of mine (Standard Webhooks).",
    "leaderboards": "The best players by day, week, month and of all time.",
    "sessions": "Devices that are logged in, and stream tickets.",
    "bots": "Bot accounts that I own.",
    "tokens": "Personal access tokens with scopes, for programs.",
    "service": "The service itself.",
}
INTRODUCTION = f"""Multiplayer games of Qwixx and Qwinto.

- `Authorization: Bearer qx_…`; `POST /api/v1/players/guests` gives a token without any account.
- Every entry of a game's `options` is an action that can be posted as it is: a client need not know the rules.
- Errors are problem documents (RFC 9457). Their `code` never changes; [all codes]({MEANINGS.rstrip("#")}).
  `title` and `detail` follow the player's `locale` if it is set, else `Accept-Language`: en, de, ru, uk, pl.
- Every response carries `X-Request-ID`; one that the client sends (1 to 64 characters) is kept.
- 429 and 503 carry `Retry-After`.
- A head is at most 32 KiB in 100 fields and complete within 10 s, a body at most 64 KiB and complete within 30 s.
"""
SCOPE = "A personal access token needs the scope `{}`."
DEVICE_ONLY = "Only for a device that is signed in, not for a personal access token."
LICENSE = {"name": "MIT", "identifier": "MIT"}
HEADERS: Json = {
    "RateLimit": {
        "description": "What is left of a rate limit: its name, `r` requests, and `t` seconds until all is back.",
        "schema": {"type": "string", "examples": ['"reads";r=399;t=1']},
    },
    "RateLimit-Policy": {
        "description": "The rate limit: its name, and a quota of `q` requests in a window of `w` seconds.",
        "schema": {"type": "string", "examples": ['"reads";q=400;w=2']},
    },
    "X-Request-ID": {"description": "Names this request in logs.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "How to authenticate.", "schema": {"type": "string"}},
    "ETag": {
        "description": "The game's version, quoted; a hash of the content for `GET /home`.",
        "schema": {"type": "string", "examples": ['"42"']},
    },
    "Location": {
        "description": "The address of what was created; one that cannot be read names it only.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Idempotent-Replayed": {
        "description": "The key was used before: nothing was done, and this is the earlier response.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}


def with_address(document: Json, public_url: str) -> Json:
    """The document of a service that players reach under this address."""
    info = {**document["info"], "contact": {"name": "The operator of this service", "url": public_url}}
    return {**document, "info": info, "servers": [{"url": public_url}]}


def add_conventions(result: Json, **_: Any) -> Json:
    """A hook of drf-spectacular."""
    result["info"] |= {"version": version(), "description": INTRODUCTION, "license": LICENSE}
    result["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    components["headers"] = HEADERS
    components["examples"] |= {code: {"value": example(status, code)} for code, status in STATUS.items()}
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            name_scope(f"{method.upper()} {path.removeprefix('/api/v1')}", operation)
            complete(path, operation)
    return result


def name_scope(operation_name: str, operation: Json) -> None:
    """The scope that a personal access token needs, as an extension: linters refuse roles of a bearer scheme."""
    scope = scopes.NEEDED.get(operation_name)
    if scope and any("token" in requirement for requirement in operation.get("security", ())):
        operation["x-scope"] = scope
        operation["description"] += "\n\n" + (DEVICE_ONLY if scope == scopes.SESSION else SCOPE.format(scope))


def complete(path: str, operation: Json) -> None:
    parameters = {parameter["name"] for parameter in operation.get("parameters", ())}
    responses: Json = operation["responses"]
    if "If-None-Match" in parameters:
        responses["304"] = {"description": "The client has the newest version."}
    for status, response in responses.items():
        response["headers"] = header_refs("X-Request-ID", *_own_headers(int(status), path, parameters))
    for status_code, codes in codes_by_status(path, operation, parameters).items():
        responses[str(status_code)] = problem_response(status_code, codes)
    operation["responses"] = dict(sorted(responses.items()))


def _own_headers(status: int, path: str, parameters: set[str]) -> Iterator[str]:
    """Responses with a game have an ETag, and the home; responses to requests with a key may be replayed."""
    if path.endswith("/home") or ("{game_id}" in path and parameters & {"If-None-Match", "If-Match"}):
        yield "ETag"
    yield from RATE_LIMIT
    if status == 201:
        yield "Location"
    if "Idempotency-Key" in parameters and status < 300:
        yield "Idempotent-Replayed"
