"""Stream tickets: browsers cannot send a token with a WebSocket, so they send a single-use ticket instead.

Redis stores the hash of a ticket with the hash of the token that it was issued for; the stream belongs to the session
of that token. When Redis has lost a ticket, the client gets another one. Both hashes are signed together under
SECRET_KEY: with access to Redis alone no ticket can be made, nor one changed to another session.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import redis
import redis.asyncio
from django.conf import settings
from django.utils.crypto import salted_hmac
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from players.database.refusal import RequestRefused
from players.redis_servers.redis_addresses import servers_of
from players.redis_servers.redis_clients import close_async, connect, connect_async

VALID_FOR = timedelta(seconds=30)
KEY_PREFIX = "stream-ticket:"
SIGNATURE_LENGTH = 32
REDIS_TIMEOUT_S = 2.0  # of one call, of a connection attempt, and of the wait for a free connection
CONNECTIONS = 8


class StreamTicket(NamedTuple):
    ticket: str
    expires_at: datetime

    def __repr__(self) -> str:
        return f"StreamTicket({self.expires_at})"  # logs must not contain the ticket


@cache
def _client() -> Any:
    """The client that all threads share; a call waits until a connection is free."""
    if servers_of(settings.REDIS_URL):
        return connect(settings.REDIS_URL, **_timeouts())
    pool = redis.BlockingConnectionPool.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 1), **_options())
    return redis.Redis.from_pool(pool)


def issue(digest: bytes, now: datetime) -> StreamTicket:
    ticket = secrets.token_urlsafe(24)
    with _unavailable_without_redis():
        _client().set(_key(ticket), _signature(ticket, digest) + digest, px=VALID_FOR)
    return StreamTicket(ticket, now + VALID_FOR)


class TicketRedeemer:
    """Redeems tickets, on the event loop that first uses it."""

    def __init__(self) -> None:
        self._redis: Any = None

    async def redeem(self, ticket: str) -> bytes | None:
        """The hash of the token that the ticket was issued for; None for an unknown or used ticket."""
        if self._redis is None and servers_of(settings.REDIS_URL):
            self._redis = connect_async(settings.REDIS_URL, **_timeouts())
        elif self._redis is None:
            retry = AsyncRetry(NoBackoff(), 1)
            pool = redis.asyncio.BlockingConnectionPool.from_url(settings.REDIS_URL, retry=retry, **_options())
            self._redis = redis.asyncio.Redis.from_pool(pool)
        with _unavailable_without_redis():
            stored: bytes = await self._redis.getdel(_key(ticket)) or b""
        digest = stored[SIGNATURE_LENGTH:]
        is_ours = hmac.compare_digest(stored[:SIGNATURE_LENGTH], _signature(ticket, digest))
        return digest if is_ours else None

    async def close(self) -> None:
        client, self._redis = self._redis, None
        if client is not None:
            await close_async(client)


redeemer = TicketRedeemer()  # of this process


def _key(ticket: str) -> str:
    return KEY_PREFIX + hashlib.sha256(ticket.encode()).hexdigest()


def _signature(ticket: str, digest: bytes) -> bytes:
    """Of the key and the value; the key has a fixed length."""
    signed = _key(ticket).encode() + digest
    return salted_hmac("players.sessions.stream_tickets", signed, algorithm="sha256").digest()


def _options() -> dict[str, Any]:
    """Of both pools. A connection that Redis has closed since its last use is replaced once."""
    return {"max_connections": CONNECTIONS, "timeout": REDIS_TIMEOUT_S, **_timeouts()}


def _timeouts() -> dict[str, Any]:
    return {"socket_timeout": REDIS_TIMEOUT_S, "socket_connect_timeout": REDIS_TIMEOUT_S}


@contextmanager
def _unavailable_without_redis() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise RequestRefused("unavailable") from error
