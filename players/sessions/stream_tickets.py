"""Tickets: what a browser shows in place of its token, which it cannot send with a stream. Single use, soon stale.

A ticket is kept in Redis, hashed, and stands for the hash of the token it was bought with: whoever redeems it is judged
by that session. A ticket that Redis forgot is one that has to be bought again.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import redis
import redis.asyncio
from django.conf import settings

LASTS = timedelta(seconds=30)
KEY = "stream-ticket:"
PATIENCE_S = 2.0


class Ticket(NamedTuple):
    ticket: str
    expires_at: datetime

    def __repr__(self) -> str:
        return f"Ticket({self.expires_at})"  # a log line must not give it away


@cache
def _shop() -> redis.Redis:
    """Threads share its kept connections."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE_S, max_connections=8)


def buy(digest: bytes, now: datetime) -> Ticket:
    ticket = secrets.token_urlsafe(24)
    _shop().set(_key(ticket), digest, px=LASTS)
    return Ticket(ticket, now + LASTS)


class Gate:
    """Redeems tickets, on the loop it is first used on."""

    def __init__(self) -> None:
        self._redis: Any = None

    async def redeem(self, ticket: str) -> bytes | None:
        """The hash of the token it was bought with, once."""
        if self._redis is None:
            self._redis = redis.asyncio.from_url(settings.REDIS_URL, socket_timeout=PATIENCE_S, max_connections=8)
        digest: bytes | None = await self._redis.getdel(_key(ticket))
        return digest

    async def close(self) -> None:
        gate, self._redis = self._redis, None
        if gate is not None:
            await gate.aclose()


gate = Gate()  # of this process


def _key(ticket: str) -> str:
    return KEY + hashlib.sha256(ticket.encode()).hexdigest()
