"""How calls to the players' API are answered, and when they were made."""

from datetime import UTC, datetime
from typing import Any

from rest_framework.response import Response

from players.api.serializers import OpenedSerializer
from players.database.idempotency import Answer
from players.sessions.sessions import Opened

PRIVATE = {"Cache-Control": "no-store"}  # what is about one person is kept by no cache


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (a door)


def answer(serializer: type[Any], content: dict[str, Any], status: int = 200) -> Response:
    return Response(serializer(content).data, status, headers=PRIVATE)


def opened_answer(opened: Opened) -> Response:
    return answer(OpenedSerializer, {"player": opened.player._asdict(), "token": opened.token}, 201)


def kept_answer(kept: Answer) -> Response:
    """One that a key may bring again."""
    replayed = {"Idempotent-Replayed": "true"} if kept.is_replay else {}
    return Response(kept.body, kept.status, headers={**PRIVATE, **replayed})
