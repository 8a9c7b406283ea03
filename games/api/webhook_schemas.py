"""Bodies of requests and responses of webhooks, with examples for the OpenAPI document."""

from typing import Annotated, Any, Literal, get_args

import msgspec

from games.api.examples import SUMMARY
from games.game.json import schema_types as t
from games.game.json.webhook_messages import WebhookMessageUnion
from games.webhooks.event_payloads import TYPES

WebhookEvent = Literal["game.started", "game.your_turn", "game.finished", "rating.changed"]
LONGEST_OVERLAP_S = 86_400


class RegisterWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """`events`: the types to send; all of them without it."""

    url: str
    events: list[WebhookEvent] = msgspec.field(default_factory=lambda: list(get_args(WebhookEvent)))


class ChangeWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """Members that are absent stay as they are. A webhook that was disabled continues where it stopped."""

    url: str | msgspec.UnsetType = msgspec.UNSET
    events: list[WebhookEvent] | msgspec.UnsetType = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET


class RotateSecret(msgspec.Struct, forbid_unknown_fields=True):
    """For `old_valid_s` seconds messages carry a signature of the old secret as well; 0 ends it at once."""

    old_valid_s: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_OVERLAP_S)] = LONGEST_OVERLAP_S


class WebhookSchema(msgspec.Struct):
    """`disabled_because`: its owner, a day of failures, or a receiver that answered 410. `failing_since` is null while
    messages are delivered."""

    id: t.Id
    url: t.Url
    events: list[WebhookEvent]
    enabled: bool
    disabled_because: Literal["owner", "failing", "gone"] | None
    failing_since: t.Time | None
    created_at: t.Time


class WebhookWithSecret(WebhookSchema):
    """`secret` is shown in this response only."""

    secret: str


class Webhooks(msgspec.Struct):
    """The webhooks of the caller."""

    results: list[WebhookSchema]


class DeliveryAttempt(msgspec.Struct):
    """The status of the response, or the code of an error."""

    at: t.Time
    status: int | None
    error: (
        Literal[
            "address_not_allowed",
            "unknown_host",
            "timeout",
            "tls_failed",
            "connection_failed",
            "protocol_error",
            "internal",
        ]
        | None
    )
    duration_ms: t.Count


class DeliverySchema(msgspec.Struct):
    """A message and its last 20 attempts. `id` is the header `webhook-id` of each; `payload` is the body."""

    id: t.Id
    type: WebhookEvent
    game: t.Id
    status: Literal["pending", "delivered", "failed"]
    created_at: t.Time
    next_attempt_at: t.Time | None
    delivered_at: t.Time | None
    attempts: list[DeliveryAttempt]
    payload: WebhookMessageUnion


class Deliveries(msgspec.Struct):
    """A page of messages, the newest first."""

    results: list[DeliverySchema]
    next: t.Url | None
    previous: t.Url | None


AT = "2026-01-31T12:00:00.000000Z"
WEBHOOK: dict[str, Any] = {
    "id": "01926f3b-2a10-7d55-9f16-6b80ac4d3e22",
    "url": "https://bot.example.org/qwixx",
    "events": list(TYPES),
    "enabled": True,
    "disabled_because": None,
    "failing_since": None,
    "created_at": AT,
}
WITH_SECRET = {**WEBHOOK, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}
PAYLOAD: dict[str, Any] = {
    "type": "game.started",
    "timestamp": AT,
    "data": {
        "game": SUMMARY["id"],
        "version": 5,
        "player": SUMMARY["seats"][0]["player"]["id"],
        "seat": 0,
        "ruleset": "qwixx",
        "sheet": "classic",
        "seats": 2,
        "visibility": "public",
        "rated": False,
    },
}
DELIVERY: dict[str, Any] = {
    "id": "01926f3b-2b7c-7a01-8c2d-7c91bd5e4f33",
    "type": "game.started",
    "game": SUMMARY["id"],
    "status": "delivered",
    "created_at": AT,
    "next_attempt_at": None,
    "delivered_at": AT,
    "attempts": [{"at": AT, "status": 204, "error": None, "duration_ms": 84}],
    "payload": PAYLOAD,
}
