"""Publishing and subscribing: plain channels of one server, sharded channels of a cluster."""

import contextlib
from collections.abc import Iterator
from typing import Any, Protocol

import redis.exceptions

from players.redis_servers.redis_addresses import is_cluster
from players.redis_servers.redis_clients import close_async, connect_async

POLL_S = 0.01  # of the nodes of a cluster, which are asked in turn


class PubSub(Protocol):
    """A subscription: messages are (kind, channel, data)."""

    async def subscribe(self, *channels: str) -> None: ...

    async def unsubscribe(self, *channels: str) -> None: ...

    async def message(self, timeout_s: float) -> tuple[str, str, Any] | None: ...

    async def ping(self) -> None: ...

    async def close(self) -> None: ...


class Publisher:
    """Publishes and subscribes; in a cluster through sharded channels, each of which lives on one node."""

    def __init__(self, url: str, **options: Any) -> None:
        self._client, self._is_cluster = connect_async(url, **options), is_cluster(url)

    async def publish(self, messages: dict[str, bytes]) -> list[int]:
        """To each channel one message; how many subscriptions received each."""
        if self._is_cluster:
            with _cluster_errors():
                return [await self._client.spublish(channel, data) for channel, data in messages.items()]
        if len(messages) == 1:
            ((channel, data),) = messages.items()
            return [await self._client.publish(channel, data)]
        async with self._client.pipeline(transaction=False) as pipe:
            for channel, data in messages.items():
                pipe.publish(channel, data)
            received: list[int] = await pipe.execute()
            return received

    def pubsub(self) -> PubSub:
        return ShardedPubSub(self._client) if self._is_cluster else PlainPubSub(self._client)

    async def close(self) -> None:
        await close_async(self._client)


class PlainPubSub:
    def __init__(self, client: Any) -> None:
        self._pubsub = client.pubsub()
        self.subscribe, self.unsubscribe = self._pubsub.subscribe, self._pubsub.unsubscribe
        self.ping, self.close = self._pubsub.ping, self._pubsub.aclose

    async def message(self, timeout_s: float) -> tuple[str, str, Any] | None:
        return _read(await self._pubsub.get_message(timeout=timeout_s))


class ShardedPubSub:
    def __init__(self, client: Any) -> None:
        self._client, self._pubsub = client, client.pubsub()
        self.unsubscribe, self.close = self._pubsub.sunsubscribe, self._pubsub.aclose
        self._answered: list[tuple[str, str, Any]] = []

    async def subscribe(self, *channels: str) -> None:
        with _cluster_errors():
            await self._client.initialize()  # the nodes have to be known
            await self._pubsub.ssubscribe(*channels)

    async def message(self, timeout_s: float) -> tuple[str, str, Any] | None:
        if self._answered:
            return self._answered.pop()
        with _cluster_errors():
            for _ in range(max(1, round(timeout_s / POLL_S))):
                if found := _read(await self._pubsub.get_sharded_message(timeout=POLL_S)):
                    return found
        return None

    async def ping(self) -> None:
        """A command to any node: a node that is gone ends its subscription with an error."""
        with _cluster_errors():
            await self._client.ping()
        self._answered.append(("pong", "", b""))


@contextlib.contextmanager
def _cluster_errors() -> Iterator[None]:
    """A cluster without a node for a key is one that cannot be reached; redis-py has an exception apart for it."""
    try:
        yield
    except redis.exceptions.RedisClusterException as error:
        raise redis.exceptions.ConnectionError(str(error)) from error


def _read(message: Any) -> tuple[str, str, Any] | None:
    if message is None:
        return None
    channel = message.get("channel") or b""
    return message["type"], channel.decode() if isinstance(channel, bytes) else channel, message["data"]
