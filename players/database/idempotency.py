"""Exactly once per key, for calls that append to no game: the answer is kept in the transaction that does the work."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.database.refusal import Refused
from players.models import Receipt

KEPT = timedelta(days=30)
BATCH = 500
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


class Keeper(Protocol):
    """Somebody else who keeps keys of players. A key stands for one call, whoever answers it."""

    def has(self, player: UUID, key: str) -> bool:
        """Was it used there, or noted as used here?"""

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """Notes that it is used here, in the transaction that does; False: it has been used there meanwhile."""

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        """These are no longer used here."""


KEEPERS: list[Keeper] = []  # filled at start-up


def asked(player: UUID, path: str, body: Any, key: str | None) -> Asked:
    """The fingerprint needs the service's secret: a body may hold a password, which a plain hash would give away."""
    if key is None:
        return Asked(player, None)
    if len(key) not in KEY_LENGTH:
        raise Refused("malformed", errors=[("Idempotency-Key", "1 to 64 characters")])
    text = path + "\n" + json.dumps(body, sort_keys=True)
    return Asked(player, key, salted_hmac("players.receipts", text, algorithm="sha256").digest())


def once(asked: Asked, now: datetime, work: Callable[[], Answer]) -> Answer:
    """A twin under way is waited for, in the insert; what is refused leaves its key unused.

    Keepers are told last: an append holds its session when it comes to its key, and work may have to wait for that.
    """
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
        if any(keeper.has(asked.player, asked.key) for keeper in KEEPERS):
            raise Refused("idempotency_key_reused")
        answer = work()
        Receipt.objects.filter(pk=stored.pk).update(status=answer.status, body=answer.body)
        if not all(keeper.take(asked.player, asked.key, asked.fingerprint) for keeper in KEEPERS):
            raise Refused("idempotency_key_reused")
        return _in_order(answer)


def _in_order(answer: Answer) -> Answer:
    """jsonb does not keep the order of members: the first answer has the alphabet's as well, and the same bytes."""
    return answer._replace(body=json.loads(json.dumps(answer.body, sort_keys=True)))


def _replayed(stored: Receipt, asked: Asked) -> Answer:
    if bytes(stored.fingerprint) != asked.fingerprint:
        raise Refused("idempotency_key_reused")
    return Answer(stored.status, stored.body, is_replay=True)


def sweep(now: datetime) -> None:
    """Batch by batch; whoever sweeps at the same time finds less to do."""
    while _swept(now - KEPT):
        pass


@transaction.atomic
def _swept(until: datetime) -> int:
    old = list(Receipt.objects.select_for_update(skip_locked=True).filter(at__lt=until)[:BATCH])
    for keeper in KEEPERS:
        keeper.free((receipt.player_id, receipt.key) for receipt in old)
    Receipt.objects.filter(pk__in=[receipt.pk for receipt in old]).delete()
    return len(old)
