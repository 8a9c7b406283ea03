"""Signs what this process sends through Redis, and verifies what arrives: Redis itself is not trusted."""

import hmac
from functools import cache

from django.utils.crypto import salted_hmac

LENGTH = 32  # of HMAC-SHA256


def signed(payload: bytes) -> bytes:
    """The payload after its signature under a key that is derived from SECRET_KEY."""
    return hmac.digest(_key(), payload, "sha256") + payload


def verified(message: bytes) -> bytes | None:
    """The payload of a signed message; None if no process of this service has signed it."""
    payload = message[LENGTH:]
    is_ours = hmac.compare_digest(message[:LENGTH], hmac.digest(_key(), payload, "sha256"))
    return payload if is_ours else None


@cache
def _key() -> bytes:
    return salted_hmac("games.live.signatures", "messages between processes", algorithm="sha256").digest()
