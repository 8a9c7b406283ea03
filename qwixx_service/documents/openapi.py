"""Adds to the OpenAPI document what all operations share: problem documents, headers, tags and the introduction."""

from collections.abc import Iterable, Iterator
from typing import Any

from players.sessions import scopes
from qwixx_service.documents.version import version
from qwixx_service.http.errors import BY_STATUS, MEANINGS, MEDIA_TYPE, MEMBER_CODES, STATUS
from qwixx_service.http.texts import texts

Json = dict[str, Any]

ALWAYS = ("malformed", "too_slow", "too_many_requests", "head_too_large", "internal", "unavailable")
WITH_BODY = ("too_large", "unsupported_media_type")
NO_RULES = ("idempotency_key_reused", "weak_password", "rated_needs_people")
RULES = tuple(code for code in BY_STATUS[422].split() if code not in NO_RULES)
PLAYING = f"not_seated game_over stale_roll too_late wrong_phase not_your_turn {' '.join(RULES)}"
JOINING = "not_allowed already_seated game_full game_not_open game_over rated_needs_people"

# Beyond the codes that follow from a token, an id in the path, a body, a key or a condition.
CODES = {
    "playAction": PLAYING,
    "previewAction": PLAYING,
    "requestConfirmation": "not_allowed",
    "createBot": "not_allowed too_many_bots",
    "createAccessToken": "not_allowed too_many_tokens",
    "changePassword": "invalid_credentials not_allowed weak_password",
    "confirmAddress": "link_expired",
    "acceptInvitation": f"not_found {JOINING}",
    "createGame": "rated_needs_people",
    "createWebhook": "not_allowed webhook_exists too_many_webhooks",
    "changeWebhook": "webhook_exists",
    "enterQueue": "already_queued rated_needs_people",
    "freeSeat": "not_allowed game_not_open game_over",
    "giveSeed": "not_seated too_late game_not_open game_over",
    "invitePlayer": "rated_needs_people not_allowed not_seated already_seated game_not_open game_over",
    "joinGame": JOINING,
    "joinGameByCode": f"not_found {JOINING}",
    "leaveGame": "not_seated game_over",
    "readProof": "game_not_over",
    "createAccount": "not_authenticated not_allowed banned email_taken weak_password",
    "createGuest": "banned",
    "resetPassword": "link_expired weak_password",
    "blockPlayer": "not_allowed",
    "mutePlayer": "not_allowed",
    "reportPlayer": "not_allowed",
    "redeliverWebhookMessage": "webhook_disabled",
    "requestRematch": "not_allowed not_seated game_not_over game_full",
    "sayPhrase": "not_seated",
    "seatBot": "not_allowed not_seated game_full game_not_open game_over rated_needs_people",
    "createSession": "invalid_credentials banned",
    "startGame": "not_allowed not_seated not_enough_seats game_not_open game_over",
}
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
RATE_LIMIT = ("RateLimit", "RateLimit-Policy")
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
PROBLEM: Json = {
    "type": "object",
    "description": "A problem document (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": list(STATUS)},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "description": "What is wrong with one member of the body.",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {
                        "type": "string",
                        "description": "A JSON pointer (RFC 6901); `?name` for a parameter, or a header's name.",
                    },
                    "code": {"type": "string", "enum": MEMBER_CODES},
                    "detail": {"type": "string"},
                },
            },
        },
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


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


def complete(path: str, operation: Json) -> None:
    parameters = {parameter["name"] for parameter in operation.get("parameters", ())}
    responses: Json = operation["responses"]
    if "If-None-Match" in parameters:
        responses["304"] = {"description": "The client has the newest version."}
    for status, response in responses.items():
        response["headers"] = _headers("X-Request-ID", *_own_headers(int(status), path, parameters))
    for status_code, codes in _by_status(_codes(path, operation, parameters)).items():
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


def _codes(path: str, operation: Json, parameters: set[str]) -> Iterator[str]:
    yield from ALWAYS
    if {} not in operation.get("security", [{}]):
        yield from ("not_authenticated", "banned", "not_allowed")
    if "{" in path:
        yield "not_found"
    if "requestBody" in operation:
        yield from WITH_BODY
    if "Idempotency-Key" in parameters:
        yield "idempotency_key_reused"
    if "If-Match" in parameters:
        yield "version_mismatch"
    yield from CODES.get(operation["operationId"], "").split()


def _by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(STATUS[code], []).append(code)
    return found


def problem_response(status: int, codes: list[str]) -> Json:
    own = {401: ("WWW-Authenticate",), 429: ("Retry-After", *RATE_LIMIT), 503: ("Retry-After",)}.get(status, ())
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {"schema": schema, "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes}}
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "headers": _headers("X-Request-ID", *own),
        "content": {MEDIA_TYPE: content},
    }


def example(status: int, code: str) -> Json:
    text = texts("en")[code]
    document: Json = {
        "type": MEANINGS + code,
        "title": text.title,
        "status": status,
        "detail": text.detail,
        "code": code,
    }
    document["request_id"] = "5f1d0e9c2b7a4c38a6d4e1f203948576"
    if code == "malformed":
        document["errors"] = [
            {"pointer": "/type", "code": "not_one_of", "detail": "Expected: one of roll, mark, pass."}
        ]
    return document


def _headers(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
