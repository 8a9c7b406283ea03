"""Tokens: opaque, shown once, kept only as their hash, and never logged."""

import hashlib
import secrets

PREFIX = "qx_"
LENGTH = len(PREFIX) + 43  # 32 bytes in url-safe base64


def new() -> str:
    """A token that nobody can guess.

    >>> len(new()) == LENGTH and new().startswith(PREFIX)
    True
    """
    return PREFIX + secrets.token_urlsafe(32)


def digest(token: str) -> bytes | None:
    """What is stored of a token, or None for what was never one. Needs no salt: there is nothing to guess.

    >>> len(digest(new()))
    32
    >>> digest("qx_short"), digest("letmein")
    (None, None)
    """
    if len(token) != LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return None
    return hashlib.sha256(token.encode()).digest()
