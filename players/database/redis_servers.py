"""Clients of Redis by address: one server, the master that Sentinels name, or a cluster.

redis://, rediss:// and unix:// addresses are those of redis-py. `redis+sentinel://:password@host:26379,host:26379/name/0`
names Sentinels and the master they watch, `redis+cluster://:password@host:6379,host:6379` some nodes of a cluster.
"""

import contextlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

import redis.asyncio
import redis.asyncio.cluster
import redis.asyncio.sentinel
import redis.cluster
import redis.exceptions
import redis.sentinel

ADDRESS = re.compile(
    r"redis\+(?P<kind>sentinel|cluster)://(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?"
    r"(?P<hosts>[^/@]+)(?:/(?P<name>[^/]*))?(?:/(?P<db>\d+))?"
)
# Their constructors have no types.
SENTINEL: Any = redis.sentinel.Sentinel
ASYNC_SENTINEL: Any = redis.asyncio.sentinel.Sentinel
NODE: Any = redis.cluster.ClusterNode
POLL_S = 0.01  # of the nodes of a cluster, which are asked in turn
OF_CLUSTER = ("socket_timeout", "socket_connect_timeout", "retry", "max_connections", "decode_responses")


class Servers(NamedTuple):
    """Several servers behind one address."""

    kind: str  # sentinel or cluster
    hosts: list[tuple[str, int]]
    name: str  # of the master
    options: dict[str, Any]


def servers_of(url: str) -> Servers | None:
    """None: a single server. ValueError: the address cannot be read.

    >>> servers_of("redis+sentinel://:secret@a:26379,b:26380/qwixx/1")
    Servers(kind='sentinel', hosts=[('a', 26379), ('b', 26380)], name='qwixx', options={'password': 'secret', 'db': 1})
    >>> servers_of("redis+cluster://a:7000").hosts, servers_of("redis://a")
    ([('a', 7000)], None)
    """
    if not url.startswith("redis+"):
        return None
    match = ADDRESS.fullmatch(url)
    if match is None or (match["kind"] == "sentinel") != bool(match["name"]):
        raise ValueError("not the address of Sentinels or of a cluster")
    hosts = [(host, int(port or 0)) for host, _, port in (part.rpartition(":") for part in match["hosts"].split(","))]
    if not all(host and port for host, port in hosts):
        raise ValueError("every host needs a port")
    options: dict[str, Any] = {}
    if match["user"]:
        options["username"] = unquote(match["user"])
    if match["password"]:
        options["password"] = unquote(match["password"])
    if match["db"]:
        options["db"] = int(match["db"])
    return Servers(match["kind"], hosts, match["name"] or "", options)


def connect(url: str, **options: Any) -> Any:
    """A client for threads."""
    servers = servers_of(url)
    if servers is None:
        return redis.Redis.from_url(url, **options)
    if servers.kind == "sentinel":
        return SENTINEL(servers.hosts).master_for(servers.name, **servers.options, **options)
    nodes = [NODE(host, port) for host, port in servers.hosts]
    return redis.cluster.RedisCluster(startup_nodes=nodes, **servers.options, **_of_cluster(options))


def connect_async(url: str, **options: Any) -> Any:
    """A client for the event loop that uses it first."""
    servers = servers_of(url)
    if servers is None:
        return redis.asyncio.from_url(url, **options)
    if servers.kind == "sentinel":
        return ASYNC_SENTINEL(servers.hosts).master_for(servers.name, **servers.options, **options)
    nodes = [redis.asyncio.cluster.ClusterNode(host, port) for host, port in servers.hosts]
    return redis.asyncio.cluster.RedisCluster(startup_nodes=nodes, **servers.options, **_of_cluster(options))


def is_cluster(url: str) -> bool:
    servers = servers_of(url)
    return servers is not None and servers.kind == "cluster"


def _of_cluster(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in OF_CLUSTER}


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
        await self._client.aclose()


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
