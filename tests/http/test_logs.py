"""What is logged of a request, and what is never logged."""

import logging
from collections.abc import Iterator

import httpx
import pytest

from players.limits.rate_limits import LIMITS
from tests.http.web_server import WebServer, web_server

EMAIL, PASSWORD = "ann.of.the.logs@example.org", "correct horse battery staple"


@pytest.fixture(scope="module")
def service(django_db_setup: None) -> Iterator[WebServer]:
    """A process of their own: lines about refusals have a budget, which other tests use up."""
    with web_server() as running:
        yield running


@pytest.mark.parametrize(("line", "is_printed"), [('%s - "WebSocket %s" [accepted]', False), ("Started %s %s", True)])
def test_the_url_of_a_socket_is_not_logged_as_it_may_hold_a_ticket(line: str, is_printed: bool) -> None:
    server = logging.getLogger("uvicorn.error")
    record = server.makeRecord(server.name, logging.INFO, "", 0, line, ("127.0.0.1", "/ws/v1/me?ticket=x"), None)
    assert bool(server.filter(record)) is is_printed


def test_an_action_is_one_line_with_its_player_game_version_and_command(
    service: WebServer, ann: httpx.Client, path: str
) -> None:
    me = ann.get("/api/v1/players/me").json()["id"]
    ann.post(f"{path}/bots", json={"level": "easy"})
    started = ann.post(f"{path}/start").json()
    headers = {"X-Request-ID": "the-resignation", "Idempotency-Key": "key-of-it"}
    done = ann.post(f"{path}/actions", json={"type": "resign"}, headers=headers).json()
    line = service.line(lambda line: line.get("command") == "key-of-it")
    assert line["ms"] > 0
    assert {name: line[name] for name in ("level", "event", "request", "route", "outcome")} == {
        "level": "info",
        "event": "command",
        "request": "the-resignation",
        "route": "POST /games/{game_id}/actions",
        "outcome": "ok",
    }
    assert (line["player"], line["game"], line["version"]) == (me, started["id"], done["version"])
    service.line(lambda line: line.get("command") == "key-of-it")
    assert [each["event"] for each in service.lines() if each.get("request") == "the-resignation"] == ["command"]


def test_a_refused_action_is_logged_with_its_code(service: WebServer, ann: httpx.Client, path: str) -> None:
    ann.post(f"{path}/actions", json={"type": "roll"}, headers={"X-Request-ID": "too-early"})
    assert service.line(lambda line: line.get("request") == "too-early")["outcome"] == "wrong_phase"


def test_only_the_first_refusals_of_a_player_are_logged(service: WebServer, ann: httpx.Client, path: str) -> None:
    me, burst = ann.get("/api/v1/players/me").json()["id"], LIMITS["refusal_lines"].burst
    for _ in range(burst):
        ann.post(f"{path}/actions", json={"type": "roll"})
        ann.post("/api/v1/games", json={})
    ann.patch("/api/v1/players/me", json={"name": "Annabel"}, headers={"X-Request-ID": "after-refusals"})
    service.line(lambda line: line.get("request") == "after-refusals")
    lines = [line for line in service.lines() if line.get("player") == me]
    refusals = [line for line in lines if line.get("outcome") == "wrong_phase" or line.get("status") == 400]
    assert burst <= len(refusals) < 2 * burst


def test_a_request_that_changes_something_is_one_line_and_a_read_is_none(service: WebServer, ann: httpx.Client) -> None:
    ann.get("/api/v1/players/me", headers={"X-Request-ID": "only-a-read"})
    ann.patch("/api/v1/players/me", json={"name": "Annabel"}, headers={"X-Request-ID": "new-name"})
    line = service.line(lambda line: line.get("request") == "new-name")
    assert (line["event"], line["route"], line["status"]) == ("request", "PATCH /api/v1/players/me", 200)
    assert line["player"] == ann.get("/api/v1/players/me").json()["id"]
    assert not [each for each in service.lines() if each.get("request") == "only-a-read"]


def test_no_line_holds_a_token_password_email_or_address(service: WebServer, http: httpx.Client) -> None:
    account = {"name": "Ann", "email": EMAIL, "password": PASSWORD}
    token = http.post("/api/v1/players", json=account).json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    ticket = http.post("/api/v1/stream-tickets").json()["ticket"]
    game = http.post("/api/v1/games", json={"ruleset": "qwixx", "client_seed": "a-seed-of-ann"}).json()
    address, forwarded = f"/api/v1/games/{game['id']}/stream?ticket={ticket}", {"X-Forwarded-For": "203.0.113.7"}
    with http.stream("GET", address, headers=forwarded) as stream:
        assert stream.status_code == 200
    http.post("/api/v1/sessions", json={"email": EMAIL, "password": "wrong"}, headers={"X-Request-ID": "wrong-one"})
    service.line(lambda line: line.get("request") == "wrong-one")
    text = service.log.read_text()
    secrets = (token, ticket, EMAIL, PASSWORD, "a-seed-of-ann", "203.0.113.7")
    assert [secret for secret in secrets if secret in text] == []
