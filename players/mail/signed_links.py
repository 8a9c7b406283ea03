"""Signed tokens of mailed links: valid for one purpose and a limited time, used once, stored nowhere.

The signature covers the state that the link changes. Using the link changes that state, so the link and all other
links of its kind become invalid.
"""

import base64
import binascii
import hmac
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.utils.crypto import salted_hmac

Purpose = Literal["confirm", "reset"]
VALID_FOR: dict[Purpose, timedelta] = {"confirm": timedelta(days=7), "reset": timedelta(hours=1)}
TIME_BYTES = 5


def sign(purpose: Purpose, player: UUID, state: str, now: datetime) -> str:
    """A token that can be part of a URL.

    >>> from datetime import UTC
    >>> ann, now = UUID(int=7), datetime(2026, 1, 2, tzinfo=UTC)
    >>> token = sign("reset", ann, "old password", now)
    >>> verify(token, "reset", lambda _: "old password", now) == ann
    True
    >>> verify(token, "reset", lambda _: "new password", now), verify(token, "confirm", lambda _: "old password", now)
    (None, None)
    >>> verify(token, "reset", lambda _: "old password", now + timedelta(hours=2))
    """
    until = int((now + VALID_FOR[purpose]).timestamp()).to_bytes(TIME_BYTES)
    raw = player.bytes + until + _signature(purpose, player, until, state)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def verify(token: str, purpose: Purpose, state_of: Callable[[UUID], str | None], now: datetime) -> UUID | None:
    """The player to whom the token was mailed, if it is still valid."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(raw) != 16 + TIME_BYTES + 32:
        return None
    player, until, signature = UUID(bytes=raw[:16]), raw[16 : 16 + TIME_BYTES], raw[16 + TIME_BYTES :]
    state = state_of(player)
    if state is None or int.from_bytes(until) <= now.timestamp():
        return None
    return player if hmac.compare_digest(_signature(purpose, player, until, state), signature) else None


def _signature(purpose: str, player: UUID, until: bytes, state: str) -> bytes:
    signed = f"{player}|{until.hex()}|{state}"
    return salted_hmac(f"players.links.{purpose}", signed, algorithm="sha256").digest()
