"""Stream tickets: browsers cannot send a token with a WebSocket, so they send a single-use ticket instead.

Redis stores the hash of a ticket with the hash of the token that it was issued for; the stream belongs to the session
of that token. When Redis has lost a ticket, the client gets another one.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import redis
import redis.asyncio
from django.conf import settings

VALID_FOR = timedelta(seconds=30)
KEY_PREFIX = "stream-ticket:"
REDIS_TIMEOUT_S = 2.0


class StreamTicket(NamedTuple):
    ticket: str
    expires_at: datetime

    def __repr__(self) -> str:
        return f"StreamTicket({self.expires_at})"  # logs must not contain the ticket


@cache
def _client() -> redis.Redis:
    """The client that all threads share."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=REDIS_TIMEOUT_S, max_connections=8)


def issue(digest: bytes, now: datetime) -> StreamTicket:
    ticket = secrets.token_urlsafe(24)
    _client().set(_key(ticket), digest, px=VALID_FOR)
    return StreamTicket(ticket, now + VALID_FOR)


class TicketRedeemer:
    """Redeems tickets, on the event loop that first uses it."""

    def __init__(self) -> None:
        self._redis: Any = None

    async def redeem(self, ticket: str) -> bytes | None:
        """The hash of the token that the ticket was issued for; None for an unknown or used ticket."""
        if self._redis is None:
            self._redis = redis.asyncio.from_url(settings.REDIS_URL, socket_timeout=REDIS_TIMEOUT_S, max_connections=8)
        digest: bytes | None = await self._redis.getdel(_key(ticket))
        return digest

    async def close(self) -> None:
        client, self._redis = self._redis, None
        if client is not None:
            await client.aclose()


redeemer = TicketRedeemer()  # of this process


def _key(ticket: str) -> str:
    return KEY_PREFIX + hashlib.sha256(ticket.encode()).hexdigest()
