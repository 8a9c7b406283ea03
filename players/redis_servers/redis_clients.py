"""Clients of Redis, for threads and for event loops."""

from typing import Any

import redis.asyncio
import redis.asyncio.cluster
import redis.asyncio.sentinel
import redis.cluster
import redis.sentinel

from players.redis_servers.redis_addresses import servers_of

# Their constructors have no types.
SENTINEL: Any = redis.sentinel.Sentinel
ASYNC_SENTINEL: Any = redis.asyncio.sentinel.Sentinel
NODE: Any = redis.cluster.ClusterNode
OF_CLUSTER = ("socket_timeout", "socket_connect_timeout", "retry", "max_connections", "decode_responses")


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


async def close_async(client: Any) -> None:
    """Close a client of `connect_async`, and those of the Sentinels that it asked for its master."""
    await client.aclose()
    sentinels = getattr(getattr(client, "connection_pool", None), "sentinel_manager", None)
    for sentinel in sentinels.sentinels if sentinels else ():
        await sentinel.aclose()


def _of_cluster(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in OF_CLUSTER}
