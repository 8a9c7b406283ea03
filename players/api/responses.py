"""Responses of the players' API, and the time of a request."""

from datetime import UTC, datetime
from typing import Any

from rest_framework.response import Response

from players.api.serializers import NewSessionSerializer
from players.database.idempotency import IdempotentResponse
from players.sessions.lifecycle import NewSession

PRIVATE = {"Cache-Control": "no-store"}  # personal data must not be cached


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (adapters read the clock)


def private_response(serializer: type[Any], content: dict[str, Any], status: int = 200) -> Response:
    return Response(serializer(content).data, status, headers=PRIVATE)


def new_session_response(new: NewSession, *, is_replay: bool = False) -> Response:
    content = {"player": new.player._asdict(), "token": new.token}
    response = private_response(NewSessionSerializer, content, 201)
    response["Location"] = f"/api/v1/players/{new.player.id}"
    if is_replay:
        response["Idempotent-Replayed"] = "true"
    return response


def stored_response(stored: IdempotentResponse) -> Response:
    """The response to a request with an idempotency key."""
    replayed = {"Idempotent-Replayed": "true"} if stored.is_replay else {}
    return Response(stored.body, stored.status, headers={**PRIVATE, **replayed})
