"""Exactly once per key, for calls that append to no game: the answer is kept in the transaction that does the work."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.models import Receipt
from players.refused import Refused

KEPT = timedelta(days=30)
KEY_LENGTH = range(1, 65)


class Answer(NamedTuple):
    status: int
    body: Any = None  # as JSON has it
    is_replay: bool = False


class Asked(NamedTuple):
    """Who asks, under which key, and for what; without a key nothing is kept."""

    player: UUID
    key: str | None
    fingerprint: bytes = b""


def asked(player: UUID, path: str, body: Any, key: str | None) -> Asked:
    """The fingerprint needs the service's secret: a body may hold a password, which a plain hash would give away."""
    if key is None:
        return Asked(player, None)
    if len(key) not in KEY_LENGTH:
        raise Refused("malformed", errors=[("Idempotency-Key", "1 to 64 characters")])
    text = path + "\n" + json.dumps(body, sort_keys=True)
    return Asked(player, key, salted_hmac("players.receipts", text, algorithm="sha256").digest())


def once(asked: Asked, now: datetime, work: Callable[[], Answer]) -> Answer:
    """A twin under way is waited for, in the insert; what is refused leaves its key unused."""
    if asked.key is None:
        return work()
    with transaction.atomic():
        mine = Receipt(
            player_id=asked.player, key=asked.key, fingerprint=asked.fingerprint, status=0, body=None, at=now
        )
        Receipt.objects.bulk_create([mine], ignore_conflicts=True)
        stored = Receipt.objects.select_for_update().get(player=asked.player, key=asked.key)
        if stored.status:
            return _in_order(_replayed(stored, asked))
        answer = work()
        Receipt.objects.filter(pk=stored.pk).update(status=answer.status, body=answer.body)
        return _in_order(answer)


def _in_order(answer: Answer) -> Answer:
    """jsonb does not keep the order of members: the first answer has the alphabet's as well, and the same bytes."""
    return answer._replace(body=json.loads(json.dumps(answer.body, sort_keys=True)))


def _replayed(stored: Receipt, asked: Asked) -> Answer:
    if bytes(stored.fingerprint) != asked.fingerprint:
        raise Refused("idempotency_key_reused")
    return Answer(stored.status, stored.body, is_replay=True)


def sweep(now: datetime) -> None:
    Receipt.objects.filter(at__lt=now - KEPT).delete()
