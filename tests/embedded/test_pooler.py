"""PgBouncer in transaction mode before PostgreSQL: play works, and a start without the setting is refused."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection

from qwixx_service.database import server_checks
from qwixx_service.embedded.run_as import own, process_options, run_as
from tests.embedded.launcher import UP, refusal
from tests.server import database_url, service_role, web_process

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
# Two servers for all clients: most statements run on another one than the statement before.
CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
unix_socket_dir = {folder}
listen_addr =
listen_port = 6543
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_round_robin = 1
"""
TIMEOUT_S = 30.0

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed (Debian: apt install pgbouncer)")


@pytest.fixture
def pooler(transactional_db: None) -> Iterator[Path]:
    """The folder of its socket."""
    used = connection.settings_dict
    if not str(used["HOST"]).startswith("/"):
        pytest.skip("PgBouncer is configured here for servers that trust their Unix socket")
    with tempfile.TemporaryDirectory(prefix="qwixx-pooler-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        inner = folder / "run"
        inner.mkdir()
        user = service_role()
        (inner / "pgbouncer.ini").write_text(
            CONFIGURATION.format(host=used["HOST"], port=used["PORT"] or 5432, folder=inner)
            .replace("[pgbouncer]", f"[pgbouncer]\nadmin_users = {user}")
            .replace("* = host", f"* = user={user} host")
        )
        own(inner)
        command = [*run_as().prefix, str(PGBOUNCER), str(inner / "pgbouncer.ini")]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **process_options(signal.SIGTERM)) as process:
            _wait_for(inner)
            yield inner
            process.send_signal(signal.SIGINT)


def _wait_for(folder: Path) -> None:
    give_up = time.monotonic() + TIMEOUT_S
    while not (folder / ".s.PGSQL.6543").exists():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def through(folder: Path) -> str:
    return database_url(str(folder)).replace("port=5432", "port=6543")


def play(http: httpx.Client, number: int) -> int:
    """One game to its end by two guests who take the first option; the number of actions."""
    tokens = [{"Authorization": f"Bearer {http.post('/players/guests', json={}).json()['token']}"} for _ in range(2)]
    created = http.post("/games", json={"ruleset": "qwixx"}, headers=tokens[0])
    assert created.status_code == 201, created.text
    path = f"/games/{created.json()['id']}"
    assert http.post(f"{path}/join", headers=tokens[1]).status_code == 200
    actions = 0
    while actions < 40:
        for player in tokens:
            for option in http.get(path, headers=player).json()["options"][:1]:
                done = http.post(f"{path}/actions", json=option, headers={**player, "Idempotency-Key": f"{actions}"})
                assert done.status_code == 200, done.text
                actions += 1
    assert http.get("/games?mine=true", headers=tokens[0]).json()["results"]
    return actions


def test_games_are_played_through_a_pooler_in_transaction_mode(pooler: Path) -> None:
    with (
        web_process(DATABASE_URL=through(pooler), DATABASE_DIRECT_URL=database_url()) as address,
        httpx.Client(base_url=f"{address}/api/v1", timeout=TIMEOUT_S) as http,
        ThreadPoolExecutor(4) as threads,
    ):
        assert sum(threads.map(lambda number: play(http, number), range(4))) >= 160
        assert httpx.get(f"{address}/readyz").json()["status"] == "ok"


def test_a_revoked_token_is_refused_at_once_behind_a_pooler(pooler: Path) -> None:
    """The connection that listens for revocations is the direct one."""
    with web_process(DATABASE_URL=through(pooler), DATABASE_DIRECT_URL=database_url()) as address:
        with httpx.Client(base_url=f"{address}/api/v1", timeout=TIMEOUT_S) as http:
            player = {"Authorization": f"Bearer {http.post('/players/guests', json={}).json()['token']}"}
            assert http.get("/players/me", headers=player).status_code == 200
            assert http.delete("/sessions/current", headers=player).status_code == 204
            assert http.get("/players/me", headers=player).status_code == 401
        with psycopg.connect(database_url()) as database:
            listening = database.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'qwixx players'"
            )
            assert (listening.fetchone() or (0,))[0] >= 1


def test_a_start_through_a_pooler_names_the_missing_setting(pooler: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {"DATABASE_URL": through(pooler), "REDIS_URL": settings.REDIS_URL}
    assert refusal(UP, tmp_path / "data", **given) == server_checks.POOLER
    assert refusal(UP, tmp_path / "data", **given, DATABASE_DIRECT_URL=through(pooler)) == server_checks.INDIRECT
