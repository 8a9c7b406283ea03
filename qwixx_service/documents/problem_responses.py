"""The problem documents that each operation may answer with, for the OpenAPI document."""

from collections.abc import Iterator
from typing import Any

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
    "readShareLink": "not_seated game_not_over",
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
RATE_LIMIT = ("RateLimit", "RateLimit-Policy")
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


def codes_by_status(path: str, operation: Json, parameters: set[str]) -> dict[int, list[str]]:
    """Every code that this operation may answer with."""
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(_codes(path, operation, parameters)):
        found.setdefault(STATUS[code], []).append(code)
    return found


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


def problem_response(status: int, codes: list[str]) -> Json:
    own = {401: ("WWW-Authenticate",), 429: ("Retry-After", *RATE_LIMIT), 503: ("Retry-After",)}.get(status, ())
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {"schema": schema, "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes}}
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "headers": header_refs("X-Request-ID", *own),
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


def header_refs(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
