"""Patroni with deploy/patroni: the leader is killed, then its successor is frozen, while people play.

It takes minutes: `make recovery` runs it.
"""

import asyncio
import os
import re
import signal
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.recovery.patroni_cluster import PASSWORD, PROGRAMS, Cluster, Node, cluster
from tests.recovery.players_at_work import PlayersAtWork
from tests.recovery.processes import free_port, manage, need, until, web

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif("RECOVERY" not in os.environ, reason="takes minutes: make recovery"),
]
STORED = """
    SELECT first.command, event.version FROM games_event AS first JOIN games_event AS event USING (game_id, at)
     WHERE first.command IS NOT NULL AND event.version >= first.version
"""  # the events of a command share their time, and the first of them has its key


async def test_a_lost_leader_loses_no_acknowledged_move_and_no_socket(
    folder: Path, settings_of_processes: dict[str, str]
) -> None:
    need(*PROGRAMS)
    with cluster(folder) as servers:
        given = {way: settings_of_processes | database(address) for way, address in servers.addresses.items()}
        manage("migrate", "--verbosity=0", environment=given["hosts"])
        ports = {way: free_port() for way in given}
        with web(folder, ports["hosts"], given["hosts"]), web(folder, ports["haproxy"], given["haproxy"]):
            async with AsyncExitStack() as stack:
                players = {
                    way: await stack.enter_async_context(PlayersAtWork(f"http://127.0.0.1:{port}", games=2))
                    for way, port in ports.items()
                }
                first = servers.leader()
                await failover(servers, first, signal.SIGKILL, players)
                servers.start(first)
                await asyncio.to_thread(servers.has_two_standbys)
                second = servers.leader()
                assert second.name != first.name
                await failover(servers, second, signal.SIGSTOP, players)
                second.signal(signal.SIGCONT)
                await progress(players)
                third = servers.leader()
                assert third.name != second.name
                check(third, list(players.values()))
                for port in ports.values():
                    until(partial(is_listening, port), "notifications of revoked tokens")
        assert re.search("[1-9][0-9]* games are sound", manage("verify_log", environment=given["haproxy"]))


def is_listening(port: int) -> bool:
    metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=20).text
    return "\nqwixx_listening 1.0\n" in metrics


def database(address: str) -> dict[str, str]:
    return {
        "DATABASE_URL": f"postgresql://qwixx_service:{PASSWORD}@{address}",
        "DATABASE_OWNER_URL": f"postgresql://qwixx_owner:{PASSWORD}@{address}",
    }


async def failover(servers: Cluster, leader: Node, number: signal.Signals, players: dict[str, PlayersAtWork]) -> None:
    """The leader's machine is lost or freezes; play goes on when another one leads."""
    for each in players.values():
        each.longest_s = 0.0
    leader.signal(number)
    elected_s = await asyncio.to_thread(servers.successor, leader)
    await progress(players)
    waits = ", ".join(f"{way} {each.longest_s:.1f} s" for way, each in players.items())
    print(f"leader {number.name}: a new one after {elected_s:.1f} s; longest wait of a call by {waits}")


async def progress(players: dict[str, PlayersAtWork]) -> None:
    await asyncio.gather(*(each.progress(60) for each in players.values()))


def check(leader: Node, players: list[PlayersAtWork]) -> None:
    """The ledgers of the players against the log, and what was credited."""
    address = f"postgresql://qwixx_owner:{PASSWORD}@127.0.0.1:{leader.port}/qwixx"
    with psycopg.connect(address) as connection:
        stored: dict[str, list[int]] = {}
        for command, version in connection.execute(STORED).fetchall():
            stored.setdefault(command, []).append(version)
        outages = connection.execute("SELECT extract(epoch FROM ended - began) FROM games_outage").fetchall()
        credited = connection.execute("SELECT count(*) FROM games_event WHERE type = 'time_credited'").fetchone()
    acknowledged = [action for each in players for action in each.acknowledged]
    lost = [action for action in acknowledged if sorted(stored.get(action.key, ())) != sorted(action.versions)]
    closed = [socket for each in players for socket in each.sockets if socket.has_closed]
    lengths = ", ".join(f"{length:.1f} s" for (length,) in outages)
    print(f"{len(acknowledged)} acknowledged actions, {len(lost)} lost or doubled, {len(closed)} sockets closed")
    print(f"outages: {lengths}; credits: {credited and credited[0]}")
    assert lost == []
    assert closed == []
    assert len(outages) >= 2
    assert credited is not None
    assert credited[0] > 0
