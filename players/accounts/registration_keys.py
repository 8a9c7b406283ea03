"""Idempotency keys of registrations: a repeated request gives the same player and a fresh token (decision 24).

The key is all that protects the player, so only its hash is stored, and it must be long. It is forgotten after a day,
and as soon as the session that it gave is revoked by anything but a repeated request.
"""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.accounts.models import Player
from players.database.models import RegistrationKey
from players.database.refusal import RequestRefused, length_error
from players.moderation.bans import ban_refusal, is_in_future
from players.sessions import lifecycle
from players.sessions.lifecycle import NewSession
from players.sessions.models import Session

KEPT_FOR = timedelta(hours=24)
KEY_LENGTH = (22, 64)  # 22 characters of URL-safe base64 are 128 bits
BATCH = 1000


class RegistrationRequest(NamedTuple):
    """A request with its key; without a key nothing is stored."""

    digest: bytes | None
    fingerprint: bytes = b""
    device: str = ""

    def __repr__(self) -> str:
        return "RegistrationRequest()"  # logs must not contain the hash


class Registered(NamedTuple):
    """The session of the registered player, new in any case."""

    session: NewSession
    is_replay: bool = False


def read_request(key: str | None, path: str, body: Any, guest: UUID | None, device: str) -> RegistrationRequest:
    """Both hashes are keyed with the service's secret: the body may hold a password."""
    if key is None:
        return RegistrationRequest(None)
    if wrong := length_error(key, *KEY_LENGTH):
        raise RequestRefused("malformed", errors=[("Idempotency-Key", *wrong)])
    return RegistrationRequest(_hash(key), _hash(f"{path}\n{guest}\n{json.dumps(body, sort_keys=True)}"), device)


def _hash(text: str) -> bytes:
    return salted_hmac("players.registrations", text, algorithm="sha256").digest()


def once(request: RegistrationRequest, now: datetime, work: Callable[[], NewSession]) -> Registered:
    """Register once for a key. The insert waits for a simultaneous request; a refused one leaves its key unused.

    `now` is when the request arrived: requests that wait for each other are served in any order.
    """
    if request.digest is None:
        return Registered(work())
    with transaction.atomic():
        new = RegistrationKey(digest=request.digest, fingerprint=request.fingerprint, at=now)
        RegistrationKey.objects.bulk_create([new], ignore_conflicts=True)
        stored = RegistrationKey.objects.select_for_update().get(digest=request.digest)
        given = _given_session(stored, now)
        if given is not None:
            return Registered(_fresh_session(stored, given, request, now), is_replay=True)
        session = work()
        _store(request, session, at=now)
        return Registered(session)


def _given_session(stored: RegistrationKey, now: datetime) -> Session | None:
    """The session that the key gave last, unless the key is new or to be forgotten."""
    if stored.session is None or now >= stored.at + KEPT_FOR:
        return None
    return Session.objects.filter(pk=stored.session, revoked_at=None).first()


def _fresh_session(stored: RegistrationKey, given: Session, request: RegistrationRequest, now: datetime) -> NewSession:
    """Another token for the same player; of the two, the one whose request arrived first is revoked.

    A token that has been used since this request arrived stays, too: its client has it.
    """
    if bytes(stored.fingerprint) != request.fingerprint:
        raise RequestRefused("idempotency_key_reused")
    player = Player.objects.select_for_update(no_key=True).get(pk=given.player_id)
    if player.banned_until is not None and is_in_future(player.banned_until):
        raise ban_refusal(player.banned_until)
    session = lifecycle.open_session(player, request.device, now)
    if given.last_seen_at is not None and given.last_seen_at > now:
        lifecycle.log_out(session.session, now)
    else:
        lifecycle.log_out(given.pk, now)
        _store(request, session, at=stored.at)
    return session


def _store(request: RegistrationRequest, session: NewSession, at: datetime) -> None:
    RegistrationKey.objects.filter(digest=request.digest).update(
        fingerprint=request.fingerprint, player=session.player.id, session=session.session, at=at
    )


def delete_expired(now: datetime) -> None:
    """Delete expired keys in batches; rows that another process is using are skipped."""
    while _delete_batch(now - KEPT_FOR):
        pass


@transaction.atomic
def _delete_batch(until: datetime) -> int:
    expired = RegistrationKey.objects.select_for_update(skip_locked=True).filter(at__lte=until)[:BATCH]
    digests = list(expired.values_list("digest", flat=True))
    RegistrationKey.objects.filter(digest__in=digests).delete()
    return len(digests)
