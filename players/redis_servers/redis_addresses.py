"""Addresses of Redis: one server, the master that Sentinels name, or a cluster.

redis://, rediss:// and unix:// addresses are those of redis-py. `redis+sentinel://:password@host:26379,host:26379/name/0`
names Sentinels and the master they watch, `redis+cluster://:password@host:6379,host:6379` some nodes of a cluster.
"""

import re
from typing import Any, NamedTuple
from urllib.parse import unquote

ADDRESS = re.compile(
    r"redis\+(?P<kind>sentinel|cluster)://(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?"
    r"(?P<hosts>[^/@]+)(?:/(?P<name>[^/]*))?(?:/(?P<db>\d+))?"
)


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


def is_cluster(url: str) -> bool:
    servers = servers_of(url)
    return servers is not None and servers.kind == "cluster"
