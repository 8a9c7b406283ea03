"""Idempotency keys of requests that append to no game: the response is stored in the transaction that does the work."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from players import extensions
from players.database.models import IdempotencyKey
from players.database.refusal import RequestRefused, length_error

KEPT_FOR = timedelta(days=30)
BATCH = 500
KEY_LENGTH = (1, 64)


class IdempotentResponse(NamedTuple):
    status: int
    body: Any = None  # as JSON values
    is_replay: bool = False


class IdempotentRequest(NamedTuple):
    """A player's request with its key; without a key nothing is stored."""

    player: UUID
    key: str | None
    fingerprint: bytes = b""


def read_request(player: UUID, path: str, body: Any, key: str | None) -> IdempotentRequest:
    """The fingerprint is keyed with the service's secret: a plain hash of a body could reveal a password in it."""
    if key is None:
        return IdempotentRequest(player, None)
    if wrong := length_error(key, *KEY_LENGTH):
        raise RequestRefused("malformed", errors=[("Idempotency-Key", *wrong)])
    text = path + "\n" + json.dumps(body, sort_keys=True)
    return IdempotentRequest(player, key, salted_hmac("players.receipts", text, algorithm="sha256").digest())


def once(request: IdempotentRequest, now: datetime, work: Callable[[], IdempotentResponse]) -> IdempotentResponse:
    """Do the work once for a key. The insert waits for a simultaneous request; a refused request leaves its key unused.

    The other key store is asked last: an append locks its session before its key, and the work may wait for that lock.
    """
    player, key, fingerprint = request
    if key is None:
        return work()
    with transaction.atomic():
        new = IdempotencyKey(player_id=player, key=key, fingerprint=fingerprint, status=0, body=None, at=now)
        IdempotencyKey.objects.bulk_create([new], ignore_conflicts=True)
        stored = IdempotencyKey.objects.select_for_update().get(player=player, key=key)
        if stored.status:
            return _with_sorted_members(_replay(stored, request))
        other_store = extensions.current().key_store
        if other_store.has(player, key):
            raise RequestRefused("idempotency_key_reused")
        response = work()
        IdempotencyKey.objects.filter(pk=stored.pk).update(status=response.status, body=response.body)
        if not other_store.take(player, key, fingerprint):
            raise RequestRefused("idempotency_key_reused")
        return _with_sorted_members(response)


def _with_sorted_members(response: IdempotentResponse) -> IdempotentResponse:
    """jsonb does not keep the order of members, so both responses are sorted and have the same bytes."""
    return response._replace(body=json.loads(json.dumps(response.body, sort_keys=True)))


def _replay(stored: IdempotencyKey, request: IdempotentRequest) -> IdempotentResponse:
    if bytes(stored.fingerprint) != request.fingerprint:
        raise RequestRefused("idempotency_key_reused")
    return IdempotentResponse(stored.status, stored.body, is_replay=True)


def delete_expired(now: datetime) -> None:
    """Delete expired keys in batches; rows that another process is deleting are skipped."""
    while _delete_batch(now - KEPT_FOR):
        pass


@transaction.atomic
def _delete_batch(until: datetime) -> int:
    expired = list(IdempotencyKey.objects.select_for_update(skip_locked=True).filter(at__lt=until)[:BATCH])
    extensions.current().key_store.free((row.player_id, row.key) for row in expired)
    IdempotencyKey.objects.filter(pk__in=[row.pk for row in expired]).delete()
    return len(expired)
