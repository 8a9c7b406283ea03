"""The hub and the cache on Sentinels and on a cluster, by their addresses alone."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import redis

from games.live.hub import Hub
from players.database.ids import uuid7
from players.ratings import leaderboard_cache
from players.redis_servers import redis_clients
from players.sessions import stream_tickets
from qwixx_service.embedded import binaries
from qwixx_service.embedded.run_as import ends_with_parent
from tests.builders import BEN, CAT, GameDriver
from tests.live.test_untrusted_redis import Recorder

TIMEOUT_S = 20.0


def free_port() -> int:
    """A node of a cluster uses the port 10,000 above, too."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        if port + 10_000 < 2**16:
            return port


@contextlib.contextmanager
def server(folder: Path, *options: str) -> Iterator[int]:
    """A server of its own on a port, ready to answer."""
    port, program = free_port(), binaries.valkey("", Path(os.environ["DATA_DIR"])).path
    folder.mkdir(exist_ok=True)
    command = [str(program), *options[:1], "--port", str(port), "--dir", str(folder), "--save", "", *options[1:]]
    options_ = {"stdout": subprocess.DEVNULL, "preexec_fn": ends_with_parent(signal.SIGKILL)}
    with subprocess.Popen([part for part in command if part], **options_) as process:  # type: ignore[call-overload]
        until_answering(port)
        yield port
        process.kill()


def until_answering(port: int) -> None:
    give_up = time.monotonic() + TIMEOUT_S
    with redis.Redis(port=port) as client:
        while True:
            with contextlib.suppress(redis.RedisError):
                if client.ping():
                    return
            assert time.monotonic() < give_up
            time.sleep(0.02)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """Of two nodes, so that channels and keys have different homes."""
    with (
        server(tmp_path / "one", "", "--cluster-enabled", "yes") as one,
        server(tmp_path / "two", "", "--cluster-enabled", "yes") as two,
        redis.Redis(port=one) as first,
        redis.Redis(port=two) as second,
    ):
        first.execute_command("CLUSTER", "ADDSLOTS", *range(8192))
        second.execute_command("CLUSTER", "ADDSLOTS", *range(8192, 16384))
        first.execute_command("CLUSTER", "MEET", "127.0.0.1", two)
        give_up = time.monotonic() + TIMEOUT_S
        while not all("cluster_state:ok" in str(node.execute_command("CLUSTER", "INFO")) for node in (first, second)):
            assert time.monotonic() < give_up
            time.sleep(0.05)
        yield f"redis+cluster://127.0.0.1:{one},127.0.0.1:{two}"


@pytest.fixture
def sentinel(tmp_path: Path) -> Iterator[str]:
    watched = tmp_path / "sentinel.conf"
    with server(tmp_path / "master", "") as master:
        watched.write_text(f"sentinel monitor qwixx 127.0.0.1 {master} 1\n")
        with server(tmp_path / "watcher", str(watched), "--sentinel") as port:
            yield f"redis+sentinel://127.0.0.1:{port}/qwixx/0"


@pytest.mark.parametrize("kind", ["cluster", "sentinel"])
async def test_commits_and_phrases_reach_another_process(kind: str, request: pytest.FixtureRequest) -> None:
    url = await asyncio.to_thread(request.getfixturevalue, kind)
    sender, receiver = Hub(url), Hub(url)
    receiver.start()
    tables = [GameDriver(game_id=str(uuid7()), seats=3) for _ in range(4)]  # on both nodes
    recorders = [Recorder() for _ in tables]
    try:
        for table, recorder in zip(tables, recorders, strict=True):
            table.join(BEN, CAT)
            receiver.follow_game(table.game.id, recorder)
            await receiver.hears_game(table.game.id)
        for table in tables:
            sender.publish(table.game, table.appends[-1])
        for table, recorder in zip(tables, recorders, strict=True):
            assert await recorder.next() == table.appends[-1]
    finally:
        await sender.stop()
        await receiver.stop()


@pytest.mark.parametrize("kind", ["cluster", "sentinel"])
def test_the_cache_works_on_several_servers(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = request.getfixturevalue(kind)
    monkeypatch.setattr("players.sessions.stream_tickets.settings.REDIS_URL", url)
    stream_tickets._client.cache_clear()
    client = redis_clients.connect(url)
    monkeypatch.setattr(leaderboard_cache, "shared_client", lambda: client)
    try:
        ticket = stream_tickets.issue(b"of a token", datetime.now(UTC))
        redeemer = stream_tickets.TicketRedeemer()

        async def redeem() -> list[bytes | None]:
            found = [await redeemer.redeem(ticket.ticket) for _ in range(2)]
            await redeemer.close()
            return found

        assert asyncio.run(redeem()) == [b"of a token", None]
        fill = leaderboard_cache.begin_fill(7)
        assert fill is not None
        player, revision = uuid7(), uuid7()
        leaderboard_cache.fill(7, revision, [(player, dict.fromkeys(leaderboard_cache.METRICS, 5))], fill)
        assert leaderboard_cache.is_current(7, revision)
        assert leaderboard_cache.rank(7, revision, "wins", player, 5) == (0, 0)
    finally:
        client.close()
        stream_tickets._client().close()
        stream_tickets._client.cache_clear()
