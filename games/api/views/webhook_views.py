"""Views of webhooks: register, change, rotate the secret, read the log of deliveries, send again."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import clock
from games.api import request_bodies
from games.api import webhook_schemas as schemas
from games.api.current_player import identity
from games.api.pagination import Pages
from games.api.schema import KEY, described
from games.api.views.list_views import PAGES
from games.game.events import stamp
from games.rules.refused import Refused
from games.webhooks import delivery_queue, endpoints
from games.webhooks.endpoints import NewSecret
from games.webhooks.event_payloads import TYPES
from games.webhooks.models import PENDING, STATUSES, Delivery, Webhook
from games.webhooks.public_addresses import checked_url
from players.api.field_errors import Error
from players.database import idempotency

TAG = "webhooks"
PRIVATE = {"Cache-Control": "no-store"}
STATUS = OpenApiParameter("status", str, enum=STATUSES, description="Deliveries in this state only.")


class WebhooksView(APIView):
    def get_throttles(self) -> list[Any]:
        self.throttle_scope = "webhooks" if self.request.method == "POST" else "reads"
        return super().get_throttles()

    @described(
        "createWebhook",
        "Register a URL for events of my games; the secret is shown once",
        schemas.WebhookWithSecret,
        body=schemas.RegisterWebhook,
        status=201,
        example={"url": "https://bot.example.org/qwixx", "events": ["game.your_turn"]},
        tag=TAG,
        answer_example=schemas.WITH_SECRET,
    )
    def post(self, request: Request) -> Response:
        """For accounts; a guest registers first. An account has at most five webhooks."""
        if identity(request).is_guest:
            raise Refused("not_allowed")
        body = request_bodies.read(request.data, schemas.RegisterWebhook, also=errors_in)
        new = endpoints.register(identity(request).player, url_of(body.url), types_of(body.events), clock.now())
        location = {"Location": f"/api/v1/webhooks/{new.webhook.pk}"}
        return Response(view_with_secret(new), 201, headers={**PRIVATE, **location})

    @described(
        "listWebhooks", "List my webhooks", schemas.Webhooks, tag=TAG, answer_example={"results": [schemas.WEBHOOK]}
    )
    def get(self, request: Request) -> Response:
        results = [view(webhook) for webhook in endpoints.of_player(identity(request).player)]
        return Response({"results": results}, headers=PRIVATE)


class WebhookView(APIView):
    @described("readWebhook", "Read a webhook", schemas.WebhookSchema, tag=TAG, answer_example=schemas.WEBHOOK)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return Response(view(endpoints.get(identity(request).player, webhook_id)), headers=PRIVATE)

    @described(
        "changeWebhook",
        "Change, disable or enable a webhook",
        schemas.WebhookSchema,
        body=schemas.ChangeWebhook,
        example={"enabled": True},
        tag=TAG,
        answer_example=schemas.WEBHOOK,
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        endpoints.get(identity(request).player, webhook_id)
        given = request_bodies.read(request.data, schemas.ChangeWebhook, also=errors_in)
        changes: dict[str, Any] = {}
        if not isinstance(given.url, msgspec.UnsetType):
            changes["url"] = url_of(given.url)
        if not isinstance(given.events, msgspec.UnsetType):
            changes["events"] = types_of(given.events)
        if not isinstance(given.enabled, msgspec.UnsetType):
            changes["is_enabled"] = given.enabled
        changed = endpoints.change(identity(request).player, webhook_id, changes, clock.now())
        return Response(view(changed), headers=PRIVATE)

    @extend_schema(
        operation_id="deleteWebhook",
        summary="Remove a webhook and its log of deliveries",
        tags=[TAG],
        responses={204: OpenApiResponse(description="Removed.")},
    )
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        endpoints.remove(identity(request).player, webhook_id)
        return Response(status=204)


class SecretView(APIView):
    @described(
        "rotateWebhookSecret",
        "Replace the secret of a webhook; the new one is shown once",
        schemas.WebhookWithSecret,
        body=schemas.RotateSecret,
        example={"old_valid_s": 3600},
        tag=TAG,
        answer_example=schemas.WITH_SECRET,
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        player = identity(request).player
        endpoints.get(player, webhook_id)
        body = request_bodies.read(request.data, schemas.RotateSecret)
        new = endpoints.rotate(player, webhook_id, body.old_valid_s, clock.now())
        return Response(view_with_secret(new), headers=PRIVATE)


class DeliveriesView(APIView):
    @described(
        "listWebhookDeliveries",
        "List the messages of a webhook with their attempts, newest first",
        schemas.Deliveries,
        parameters=(STATUS, *PAGES),
        tag=TAG,
        answer_example={"results": [schemas.DELIVERY], "next": None, "previous": None},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        webhook, status = endpoints.get(identity(request).player, webhook_id), request.query_params.get("status")
        if status is not None and status not in STATUSES:
            raise Refused("malformed", errors=[("?status", "not_one_of", f"one of {', '.join(STATUSES)}")])
        rows = delivery_queue.log(webhook, **({"status": status} if status else {}))
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response([delivery_view(row) for row in page])


class RedeliverView(APIView):
    throttle_scope = "redeliveries"

    @described(
        "redeliverWebhookMessage",
        "Send a message again, with the same id",
        schemas.DeliverySchema,
        status=202,
        parameters=(KEY,),
        tag=TAG,
        answer_example={**schemas.DELIVERY, "status": "pending", "next_attempt_at": schemas.AT},
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        player, now, key = identity(request).player, clock.now(), request.headers.get("Idempotency-Key")
        webhook = endpoints.get(player, webhook_id)

        def redeliver() -> idempotency.IdempotentResponse:
            return idempotency.IdempotentResponse(
                202, delivery_view(delivery_queue.redeliver(webhook, delivery_id, now))
            )

        kept = idempotency.once(idempotency.read_request(player, request.path, request.data, key), now, redeliver)
        replayed = {"Idempotent-Replayed": "true"} if kept.is_replay else {}
        return Response(kept.body, kept.status, headers={**PRIVATE, **replayed})


def errors_in(body: schemas.RegisterWebhook | schemas.ChangeWebhook) -> Iterator[Error]:
    if not isinstance(body.url, msgspec.UnsetType):
        try:
            url_of(body.url)
        except Refused as refused:
            yield from refused.data["errors"]  # type: ignore[misc]
    if isinstance(body.events, list) and not body.events:
        yield "/events", "too_short", f"each one of {', '.join(TYPES)}"


def url_of(text: str) -> str:
    return checked_url(text, allow_loopback=settings.WEBHOOKS_ALLOW_LOOPBACK)


def types_of(given: list[Any]) -> list[str]:
    """Each once, in the order of the document."""
    return [name for name in TYPES if name in given]


def view(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": str(webhook.pk),
        "url": webhook.url,
        "events": webhook.events,
        "enabled": webhook.disabled_at is None,
        "disabled_because": webhook.disabled_because or None,
        "failing_since": stamp(webhook.failing_since) if webhook.failing_since else None,
        "created_at": stamp(webhook.created_at),
    }


def view_with_secret(new: NewSecret) -> dict[str, Any]:
    return {**view(new.webhook), "secret": new.secret}


def delivery_view(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": str(delivery.pk),
        "type": delivery.type,
        "game": str(delivery.game),
        "status": delivery.status,
        "created_at": stamp(delivery.created_at),
        "next_attempt_at": stamp(delivery.next_at) if delivery.status == PENDING else None,
        "delivered_at": stamp(delivery.delivered_at) if delivery.delivered_at else None,
        "attempts": delivery.attempts,
        "payload": msgspec.json.decode(delivery.body),
    }
