"""Session tokens: random, shown once, stored only as a hash, never logged."""

import hashlib
import secrets

PREFIX = "qx_"
LENGTH = len(PREFIX) + 43  # 32 bytes in URL-safe base64


def new() -> str:
    """A random token.

    >>> len(new()) == LENGTH and new().startswith(PREFIX)
    True
    """
    return PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> bytes | None:
    """The stored hash of a token, or None for a text that cannot be one. Tokens are random, so no salt is needed.

    >>> len(digest(new()))
    32
    >>> digest("qx_short"), digest("letmein")
    (None, None)
    """
    if len(token) != LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return None
    return hashlib.sha256(token.encode()).digest()
