"""Links that are mailed: signed, for one purpose and a while, and used up by what they do; kept nowhere.

What a link changes is part of what its signature covers. So it holds until then and never again, as does every other
link of its kind that the player was sent.
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
LASTS: dict[Purpose, timedelta] = {"confirm": timedelta(days=7), "reset": timedelta(hours=1)}
TIME_BYTES = 5


def token(purpose: Purpose, player: UUID, state: str, now: datetime) -> str:
    """Letters that fit into an address.

    >>> from datetime import UTC
    >>> ann, now = UUID(int=7), datetime(2026, 1, 2, tzinfo=UTC)
    >>> ours = token("reset", ann, "old password", now)
    >>> owner(ours, "reset", lambda _: "old password", now) == ann
    True
    >>> owner(ours, "reset", lambda _: "new password", now), owner(ours, "confirm", lambda _: "old password", now)
    (None, None)
    >>> owner(ours, "reset", lambda _: "old password", now + timedelta(hours=2))
    """
    until = int((now + LASTS[purpose]).timestamp()).to_bytes(TIME_BYTES)
    raw = player.bytes + until + _signature(purpose, player, until, state)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def owner(text: str, purpose: Purpose, state_of: Callable[[UUID], str | None], now: datetime) -> UUID | None:
    """Whose it is, if it still holds."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
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
    said = f"{player}|{until.hex()}|{state}"
    return salted_hmac(f"players.links.{purpose}", said, algorithm="sha256").digest()
