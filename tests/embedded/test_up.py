"""`manage.py up`: what it prints and serves, and that it restarts what dies."""

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from qwixx_service.embedded import postgres, process_list, valkey
from tests.admin import second_factor
from tests.embedded.launcher import UP, LaunchedProgram, children, refusal, running


@pytest.fixture
def visitor(up: LaunchedProgram) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=up.home, timeout=30) as client:
        yield client


def test_up_prints_its_addresses(up: LaunchedProgram) -> None:
    output = "\n".join(up.lines)
    assert f"{up.home}/api/docs/" in output
    assert f"{up.home}/admin/" in output


def test_healthz_is_ok_while_the_process_runs(visitor: httpx.Client) -> None:
    assert visitor.get("/healthz").json() == {"status": "ok"}


def test_readyz_lists_every_part(visitor: httpx.Client) -> None:
    response = visitor.get("/readyz")
    assert response.status_code == 200
    parts = dict.fromkeys(("database", "migrations", "writes", "clock", "threads", "redis"), "ok")
    assert response.json() == {"status": "ok", **parts}


def test_the_first_page_links_to_readiness_and_admin(visitor: httpx.Client) -> None:
    page = visitor.get("/")
    assert page.status_code == 200
    for address in ("/readyz", "/admin/"):
        assert f'href="{address}"' in page.text
        assert visitor.get(address, follow_redirects=True).status_code == 200


def test_the_printed_login_opens_the_admin_with_its_style_sheet(up: LaunchedProgram, visitor: httpx.Client) -> None:
    email, password = re.findall(r"log in to the admin as (\S+) with (\S+)", "\n".join(up.lines))[0]
    enrolment = second_factor.enter_password(visitor, email, password)
    assert enrolment.url.path == second_factor.ENROLMENT  # before any other page
    assert len(second_factor.enrol(visitor, enrolment)) == 10
    page = visitor.get("/admin/")
    assert page.status_code == 200
    assert "/admin/logout/" in page.text
    style = re.findall(r'href="(/static/[^"]+\.css)"', page.text)[0]
    assert visitor.get(style).headers["content-type"] == "text/css"


def test_only_web_listens_on_a_port(up: LaunchedProgram) -> None:
    assert {port for pid in children(up.process.pid) for port in listens_on(pid)} == {int(up.home.rpartition(":")[2])}


def listens_on(pid: int) -> set[int]:
    """The TCP ports among the open files of a process."""
    files = {str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir() if file.is_symlink()}
    ports = set()
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = row.split()[:10]
            if state == "0A" and f"socket:[{inode}]" in files:
                ports.add(int(local.rpartition(":")[2], 16))
    return ports


def test_a_second_start_on_the_same_data_folder_names_the_first_run(up: LaunchedProgram) -> None:
    data = Path(f"/proc/{up.process.pid}/environ").read_bytes().split(b"\0DATA_DIR=")[1].split(b"\0")[0].decode()
    assert refusal(UP, Path(data)).startswith(
        f"The data folder {data} is in use by another run (process {up.process.pid})"
    )


def test_a_busy_port_is_named(up: LaunchedProgram, data: Path) -> None:
    port = up.home.rpartition(":")[2]
    assert f"Port {port} of 127.0.0.1 cannot be used: Address already in use" in refusal(UP, data, PORT=port)
    assert not (data / "postgres").exists()


@pytest.mark.parametrize("command", ["uvicorn", "worker", "beat"])
def test_a_child_process_that_dies_is_started_again(up: LaunchedProgram, visitor: httpx.Client, command: str) -> None:
    (victim,) = (pid for pid in children(up.process.pid) if command in arguments(pid))
    os.kill(victim, signal.SIGKILL)
    up.wait_for("ended with status -9; starting again in")  # the pause is longer if it died shortly before
    up.wait_for({"uvicorn": "Started server", "worker": "ready.", "beat": "beat: Starting"}[command])
    assert visitor.get("/readyz").status_code == 200


def arguments(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


@pytest.mark.parametrize("programs", [postgres.PROGRAMS, valkey.PROGRAMS], ids=["postgres", "valkey"])
def test_a_server_that_dies_is_started_again(
    up: LaunchedProgram, visitor: httpx.Client, programs: frozenset[str]
) -> None:
    (victim,) = running(children(up.process.pid), programs)
    os.kill(victim, signal.SIGKILL)
    up.wait_for("answers again")
    assert visitor.get("/readyz").status_code == 200


def test_connections_of_the_inherited_port_send_every_packet_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "0")
    with process_list.listening() as web, socket.create_connection(web.getsockname()):
        accepted, _ = web.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
