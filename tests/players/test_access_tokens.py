"""Personal access tokens: made, listed, used, expired and revoked, on two web processes."""

import asyncio
import hashlib
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from players.accounts import erasure
from players.accounts.models import Player
from players.limits.budgets import TOKENS_PER_ACCOUNT
from players.sessions import lifecycle
from players.sessions.models import Session
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import Device, checked, is_problem, is_refused_on_second_within_a_second
from tests.streams.client import Socket

PATH = "/players/me/tokens"


@pytest.fixture
async def ann(anonymous: Device) -> Device:
    def create() -> lifecycle.NewSession:
        player = Player(name="Ann", email="ann@example.org")
        player.save()
        return lifecycle.open_session(player, "phone", NOW)

    opened = await in_a_thread(create)
    return anonymous._replace(token=opened.token, player={"id": str(opened.player.id)})


async def token_of(device: Device, *scopes: str, **options: Any) -> tuple[Device, str]:
    body = {"name": "Scores", "scopes": list(scopes), **options}
    made = checked(await device.call("POST", PATH, json=body), 201)
    return device._replace(token=made["token"]), made["id"]


async def test_a_token_is_shown_once_and_only_its_hash_is_stored(ann: Device) -> None:
    response = await ann.call("POST", PATH, json={"name": " Scores ", "scopes": ["play", "read"]})
    made = checked(response, 201)
    assert made["token"].startswith("qx_")
    assert (made["name"], made["scopes"], made["expires_at"]) == ("Scores", ["play", "read"], None)
    assert made["player"]["id"] == ann.player["id"]
    assert response.headers["location"] == f"/api/v1{PATH}/{made['id']}"
    assert response.headers["cache-control"] == "no-store"
    row = await in_a_thread(Session.objects.get, pk=made["id"])
    assert bytes(row.token_hash) == hashlib.sha256(made["token"].encode()).digest()
    listed = (await ann.get(PATH))["results"]
    assert listed == [{name: value for name, value in made.items() if name != "token"}]
    assert [session["device"] for session in (await ann.get("/sessions"))["results"]] == ["phone"]


async def test_a_guest_makes_no_tokens(anonymous: Device) -> None:
    guest = await anonymous.create_guest()
    is_problem(await guest.call("POST", PATH, json={"name": "Scores", "scopes": ["read"]}), 403, "not_allowed")


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"name": ""}, "/name", "too_short"),
        ({"name": "x" * 65}, "/name", "too_long"),
        ({"name": None}, "/name", "wrong_type"),
        ({"scopes": []}, "/scopes", "too_short"),
        ({"scopes": ["everything"]}, "/scopes/0", "not_one_of"),
        ({"scopes": ["bots"]}, "/scopes", "not_one_of"),
        ({"scopes": ["read", "bots"]}, "/scopes", "not_one_of"),
        ({"scopes": "read"}, "/scopes", "wrong_type"),
        ({"scopes": ["read", ["read"]]}, "/scopes/1", "wrong_type"),
        ({"scopes": ["read"] * 9}, "/scopes", "too_long"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "/expires_at", "out_of_range"),
        ({"expires_at": "tomorrow"}, "/expires_at", "wrong_format"),
    ],
    ids=str,
)
async def test_a_malformed_request_makes_no_token(ann: Device, change: dict[str, Any], pointer: str, code: str) -> None:
    response = await ann.call("POST", PATH, json={"name": "Scores", "scopes": ["read"], **change})
    [error] = is_problem(response, 400, "malformed")["errors"]
    assert (error["pointer"], error["code"]) == (pointer, code)
    assert error["detail"].startswith("Expected: ")
    assert "ErrorDetail" not in error["detail"]
    assert (await ann.get(PATH))["results"] == []


async def test_an_account_has_a_limited_number_of_tokens(ann: Device) -> None:
    def fill() -> None:
        rows = [
            Session(player_id=ann.player["id"], token_hash=bytes([n] * 32), scopes=["read"])
            for n in range(TOKENS_PER_ACCOUNT - 1)
        ]
        Session.objects.bulk_create(rows)

    await in_a_thread(fill)
    _, last = await token_of(ann, "read")
    is_problem(await ann.call("POST", PATH, json={"name": "x", "scopes": ["read"]}), 409, "too_many_tokens")
    await ann.delete(f"{PATH}/{last}")
    await token_of(ann, "read")


async def test_a_revoked_token_fails_at_once_here_and_within_a_second_in_another_process(ann: Device) -> None:
    program, token = await token_of(ann, "read")
    await program.get("/players/me")
    await program.get("/players/me", on_second=True)
    async with await Socket.open(ann.second, "/ws/v1/me", program.token) as socket:
        await socket.until(lambda frame: frame["type"] == "hello")
        await ann.delete(f"{PATH}/{token}")
        is_problem(await program.call("GET", "/players/me"), 401, "not_authenticated")
        await is_refused_on_second_within_a_second(program)
        await socket.until_settled()
        assert socket.close_code == 4401
    assert (await ann.get(PATH))["results"] == []
    is_problem(await ann.call("DELETE", f"{PATH}/{token}"), 404, "not_found")


async def test_a_token_is_refused_and_its_stream_closed_at_its_expiry(ann: Device) -> None:
    await ann.get("/players/me")  # the first call of each process is slow
    await ann.get("/players/me", on_second=True)
    expires_at = datetime.now(UTC) + timedelta(seconds=4)
    program, _ = await token_of(ann, "read", expires_at=expires_at.isoformat())
    await program.get("/players/me")
    async with await Socket.open(ann.second, "/ws/v1/me", program.token) as socket:
        await socket.until(lambda frame: frame["type"] == "hello")
        await asyncio.wait_for(socket.line.wait_closed(), 20)
        await socket.until_settled()
        assert socket.close_code == 4401
        assert 0 <= time.time() - expires_at.timestamp() < 1
    is_problem(await program.call("GET", "/players/me"), 401, "not_authenticated")


async def test_only_the_owner_revokes_a_token_and_no_device_by_it(ann: Device, anonymous: Device) -> None:
    _, token = await token_of(ann, "read")
    guest = await anonymous.create_guest()
    is_problem(await guest.call("DELETE", f"{PATH}/{token}"), 404, "not_found")
    [phone] = (await ann.get("/sessions"))["results"]
    is_problem(await ann.call("DELETE", f"{PATH}/{phone['id']}"), 404, "not_found")
    is_problem(await ann.call("DELETE", f"/sessions/{token}"), 404, "not_found")


async def test_logging_all_devices_out_revokes_the_tokens(ann: Device) -> None:
    program, _ = await token_of(ann, "read")
    await ann.delete("/sessions")
    is_problem(await program.call("GET", "/players/me"), 401, "not_authenticated")


async def test_tokens_are_exported_without_secrets_and_erased(ann: Device) -> None:
    program, token = await token_of(ann, "account")
    exported = await program.get("/players/me/export")
    [row] = [row for row in exported["sessions"] if row["id"] == token]
    assert (row["device"], row["scopes"]) == ("Scores", ["account"])
    assert not {"token", "token_hash"} & row.keys()
    await in_a_thread(erasure.erase, UUID(ann.player["id"]), NOW)
    assert not await in_a_thread(Session.objects.filter(player=ann.player["id"]).exists)
    is_problem(await program.call("GET", "/players/me"), 401, "not_authenticated")
