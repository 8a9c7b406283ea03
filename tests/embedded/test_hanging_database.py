"""A PostgreSQL that hangs or drops its connections: requests end in time, and no command is lost or stored twice."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection

from players.sessions import tokens
from qwixx_service.embedded import postgres, services
from tests.embedded.launcher import ROOT, SERVERS, LaunchedProgram, environment, running
from tests.server import database_url, web_process
from verifier.verify import verify

LONG_S = 90.0  # a request that takes longer counts as hanging


@contextlib.contextmanager
def stopped(pids: set[int]) -> Iterator[None]:
    """The processes exist and keep their sockets open, but do not run."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture
def servers(used: Path) -> Iterator[LaunchedProgram]:
    with LaunchedProgram(SERVERS, used) as servers:
        servers.wait_for("ready")
        yield servers


@pytest.fixture
def web(servers: LaunchedProgram, used: Path) -> Iterator[str]:
    urls = {"DATABASE_URL": services.database_url(used), "REDIS_URL": services.redis_url(used), "DATA_DIR": str(used)}
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    owner = {"DATABASE_OWNER_URL": services.owner_url(used)}
    subprocess.run(migrate, cwd=ROOT, env=environment(used, urls | owner), check=True, timeout=LONG_S)
    with web_process(log=None, **urls) as address:
        yield address


def guest(http: httpx.Client) -> dict[str, str]:
    return {"Authorization": f"Bearer {http.post('/players/guests', json={}).json()['token']}"}


def is_unavailable(answer: httpx.Response) -> bool:
    if answer.headers["content-type"] != "application/problem+json":
        return False
    return (answer.status_code, answer.json()["code"]) == (503, "unavailable") and int(
        answer.headers["retry-after"]
    ) > 0


@pytest.mark.timeout(300)
def test_requests_get_503_while_postgresql_hangs_and_no_command_is_lost_or_doubled(
    web: str, servers: LaunchedProgram
) -> None:
    with httpx.Client(base_url=f"{web}/api/v1", timeout=LONG_S) as http, ThreadPoolExecutor(16) as threads:
        ann, bob = guest(http), guest(http)
        game = http.post("/games", json={"ruleset": "qwixx"}, headers=ann).json()
        game = http.post(f"/games/{game['id']}/join", headers=bob).json()
        path, active = f"/games/{game['id']}", (ann, bob)[game["turn"]["active"]]
        keyed = {**active, "Idempotency-Key": "while it hangs"}
        roll: Any = {"url": f"{path}/actions", "json": {"type": "roll"}, "headers": keyed}
        with stopped(running(servers.family(), postgres.PROGRAMS)):
            waiting = [threads.submit(http.post, **roll) for _ in range(2)]
            waiting += [threads.submit(http.get, path, headers=headers) for headers in (ann, bob)]
            waiting += [threads.submit(http.get, f"{path}/events", headers=ann)]
            waiting += [threads.submit(http.get, "/players/me", headers={"Authorization": f"Bearer {tokens.new()}"})]
            waiting += [threads.submit(http.get, "/games", headers=ann) for _ in range(10)]
            waiting += [threads.submit(http.post, "/games", json={"ruleset": "qwixx"}, headers={**bob, **keyed})]
            answers = [call.result(LONG_S) for call in waiting]
        assert [answer for answer in answers if not is_unavailable(answer)] == []
        answer = http.post(**roll)
        while answer.status_code == 503:  # without waiting for Retry-After
            answer = http.post(**roll)
        assert answer.status_code == 200, answer.text
        export = http.get(f"{path}/export", headers=ann)
        assert export.text.count('"dice_rolled"') == 1
        assert verify(export.content)["ok"]
        assert http.get(path, headers=bob).json()["turn"]["roll"] == 1
        assert http.get("/games", headers=ann).status_code == 200


def test_requests_succeed_after_the_database_dropped_every_connection(transactional_db: None) -> None:
    """Uses its own web process, because other tests share theirs."""
    with (
        web_process(DATABASE_URL=f"{database_url()}&application_name=doomed") as server,
        httpx.Client(base_url=f"{server}/api/v1", timeout=LONG_S) as http,
    ):
        ann = guest(http)
        game = http.post("/games", json={"ruleset": "qwixx"}, headers=ann).json()
        paths = [f"/games/{game['id']}", "/games?mine=true", f"/games/{game['id']}/events", "/players/me"]
        for path in paths:
            assert http.get(path, headers=ann).status_code == 200
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'doomed'"
            )
            assert cursor.rowcount > 2
        assert [http.get(path, headers=ann).status_code for path in paths] == [200] * len(paths)
        assert http.post(f"/games/{game['id']}/leave", headers=ann).status_code == 200
