"""A web process and a worker at their most talkative: no line holds what a log may not hold."""

import contextlib
import json
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection
from websockets.sync.client import connect

from tests.embedded.launcher import LaunchedProgram
from tests.server import web_process
from tests.timekeeping.celery_processes import worker

EMAIL, PASSWORD, ADDRESS = "ann.of.all.logs@example.org", "correct horse battery staple", "203.0.113.77"
TALKATIVE = {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": "json", "NUM_PROXIES": "1"}
# What docs/operations.md documents, and what structlog adds of an exception. No field holds an action or a body.
FIELDS = {"time", "level", "event", "logger", "request", "route", "player", "game", "version", "command", "ms"}
FIELDS |= {"outcome", "status", "task", "exception"}
LOGGED_WITHIN_S = 30
ROUNDS = 12


@pytest.fixture
def processes(transactional_db: None) -> Iterator[tuple[str, Path, LaunchedProgram]]:
    """A web process with its log, and a worker whose mail server refuses connections."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with tempfile.NamedTemporaryFile() as log, contextlib.ExitStack() as stack:
        mails = {"EMAIL_URL": f"smtp://{EMAIL}:{PASSWORD.replace(' ', '')}@127.0.0.1:{port}"}
        celery = stack.enter_context(worker(**TALKATIVE, **mails))
        address = stack.enter_context(web_process(log=log, log_level="debug", **TALKATIVE))
        celery.wait_for("ready.")
        yield address, Path(log.name), celery


def test_no_line_of_web_and_worker_holds_a_secret(processes: tuple[str, Path, LaunchedProgram]) -> None:
    address, log, celery = processes
    hidden = {EMAIL, PASSWORD, ADDRESS}
    with httpx.Client(base_url=f"{address}/api/v1", headers={"X-Forwarded-For": ADDRESS}, timeout=20) as http:
        hidden |= play(http, address)
        http.post("/players/passwords/forgotten", json={"email": EMAIL})
        http.post("/sessions", json={"email": EMAIL, "password": "wrong" + PASSWORD})
        assert http.get("/games", params={"limit": "1'" + PASSWORD}).status_code in {400, 401}
    until(lambda: "players.mail" in "\n".join(celery.lines), "the failed mail")
    until(lambda: '"event":"command"' in log.read_text(), "a command")
    lines = [*log.read_text().splitlines(), *celery.lines]
    assert len(hidden) > ROUNDS
    assert [(secret, line) for line in lines for secret in hidden if secret in line] == []
    assert {name for line in lines if line.startswith("{") for name in json.loads(line)} - FIELDS == set()


def play(http: httpx.Client, address: str) -> set[str]:
    """Two players, of whom one answers on a socket opened with a ticket. Returns what no log may hold."""
    account = {"name": "Ann", "email": EMAIL, "password": PASSWORD}
    tokens = [
        http.post("/players", json=account).json()["token"],
        http.post("/players/guests", json={}).json()["token"],
    ]
    ann, ben = ({"Authorization": f"Bearer {token}"} for token in tokens)
    seeds = [secrets.token_hex(16) for _ in range(2)]
    settings = {"ruleset": "qwixx", "visibility": "private", "client_seed": seeds[0]}
    game = http.post("/games", json=settings, headers=ann).json()
    http.post("/games/join", json={"code": game["code"], "client_seed": seeds[1]}, headers=ben)
    path, ticket = f"/games/{game['id']}", http.post("/stream-tickets", headers=ben).json()["ticket"]
    with connect(f"{address.replace('http', 'ws')}/ws/v1{path}?ticket={ticket}", subprotocols=[SUBPROTOCOL]) as line:
        for number in range(ROUNDS):
            answer(http, path, ann)
            if options := http.get(path, headers=ben).json()["options"]:
                line.send(json.dumps({"type": "action", "id": f"on-the-socket-{number}", "action": options[0]}))
                while json.loads(line.recv(LOGGED_WITHIN_S)).get("id") != f"on-the-socket-{number}":
                    pass
    return {*tokens, *seeds, ticket, game["code"], *stored_secrets(game["id"])}


SUBPROTOCOL: Any = "qx.v1"


def answer(http: httpx.Client, path: str, player: dict[str, str]) -> None:
    if options := http.get(path, headers=player).json()["options"]:
        assert http.post(f"{path}/actions", json=options[0], headers=player).status_code == 200


def stored_secrets(game: str) -> set[str]:
    """The seed of the game and the nonces of its sealed answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT encode(secret, 'hex') FROM games_seed WHERE game_id = %s", [game])
        found = {row[0] for row in cursor.fetchall()}
        cursor.execute(
            "SELECT body::json->>'nonce' FROM games_event WHERE game_id = %s AND type = 'answer_sealed'", [game]
        )
        return found | {row[0] for row in cursor.fetchall()}


def until(happened: Callable[[], bool], what: str) -> None:
    """Lines are written a moment later than the response."""
    give_up = time.monotonic() + LOGGED_WITHIN_S
    while not happened():
        assert time.monotonic() < give_up, f"{what} was not logged"
        time.sleep(0.02)
