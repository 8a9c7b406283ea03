"""Caddy with deploy/proxy/Caddyfile before two web processes, of which one is frozen and then restarted.

It takes a minute, and needs a machine that is not busy: `make recovery` runs it.
"""

import os
import re
import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.recovery.players_at_work import PlayersAtWork
from tests.recovery.processes import DEPLOY, answers, database_of_our_own, free_port, manage, need, program, until, web

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif("RECOVERY" not in os.environ, reason="takes a minute: make recovery"),
]


async def test_a_frozen_process_costs_players_under_three_seconds_and_a_restart_costs_no_call(
    folder: Path, settings_of_processes: dict[str, str]
) -> None:
    caddy = need("caddy")["caddy"]
    with database_of_our_own(folder) as database:
        address = f"http://127.0.0.1:{free_port()}"
        given = settings_of_processes | database | {"PUBLIC_URL": address, "NUM_PROXIES": "1"}
        manage("migrate", "--verbosity=0", environment=given)
        ports = free_port(), free_port()
        proxy = {
            "PUBLIC_URL": address,
            "UPSTREAMS": " ".join(f"127.0.0.1:{port}" for port in ports),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        config = ("--config", DEPLOY / "proxy/Caddyfile", "--adapter", "caddyfile")
        with (
            web(folder, ports[0], given) as first,
            program(caddy, "run", *config, log=folder / "caddy.log", environment=proxy),
        ):
            with web(folder, ports[1], given):
                until(lambda: answers(f"{address}/healthz"), "the proxy")
                check_limits(address)
                async with PlayersAtWork(address) as players:
                    os.kill(first.pid, signal.SIGSTOP)
                    await players.progress(100)
                    os.kill(first.pid, signal.SIGCONT)
                    frozen_s, players.longest_s = players.longest_s, 0.0
                    print(f"one of two processes frozen: {frozen_s:.2f} s, repeated {dict(players.failures)}")
                    assert frozen_s < 3.0 + 2.0 * is_busy()
                    time.sleep(4)  # noqa: ASYNC251  (until the proxy has taken it back)
                    players.failures.clear()
                    os.kill(first.pid, signal.SIGTERM)
                    await players.progress(100)
                    restarted_s, repeated = players.longest_s, dict(players.failures)
                    print(f"one of two processes restarted: {restarted_s:.2f} s, repeated {repeated}")
                    # A busy process misses health checks, and with both out of service no call finds one.
                    assert is_busy() or not repeated
            answer = until(lambda: no_process(address), "a refusal of the proxy")
            assert answer.headers["content-type"] == "application/problem+json"
            assert (answer.json()["code"], answer.headers["retry-after"]) == ("unavailable", "1")
        assert re.search("[1-9][0-9]* games are sound", manage("verify_log", environment=given))


def is_busy() -> bool:
    return os.getloadavg()[0] > 2 * (os.cpu_count() or 1)


def check_limits(address: str) -> None:
    assert [httpx.get(f"{address}{path}").status_code for path in ("/metrics", "/readyz")] == [404, 404]
    answer = httpx.post(f"{address}/api/v1/players/guests", json={"name": "x" * 70_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def no_process(address: str) -> httpx.Response | None:
    answer = httpx.get(f"{address}/api/v1/version", timeout=20)
    return answer if answer.status_code == 503 else None
