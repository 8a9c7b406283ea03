"""Players and sessions over REST on two web processes."""

import asyncio
import hashlib
import time
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.accounts import names
from players.accounts.models import Player
from players.database.ids import uuid7
from players.sessions import lifecycle
from players.sessions.models import Session
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import Device, checked, is_problem, is_refused_on_second_within_a_second

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
async def ann(anonymous: Device) -> Device:
    return await anonymous.create_guest(name="Ann", device="phone")


async def another_device_of(device: Device, called: str = "tablet") -> Device:
    def open_session() -> str:
        return lifecycle.open_session(Player.objects.get(pk=device.player["id"]), called, NOW).token

    return device._replace(token=await in_a_thread(open_session))


async def test_one_request_creates_a_guest_and_a_token(anonymous: Device) -> None:
    response = await anonymous.call("POST", "/players/guests", json={"name": " Ann ", "device": "phone"})
    guest = checked(response, 201)
    assert set(guest) == {"player", "token"}
    assert guest["player"] == {"id": guest["player"]["id"], "name": "Ann", "is_guest": True, "is_bot": False}
    assert UUID(guest["player"]["id"]).version == 7
    assert guest["token"].startswith("qx_")
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("options", [{}, {"json": {}}, {"content": b""}])
async def test_a_guest_can_be_created_without_a_body(anonymous: Device, options: dict[str, Any]) -> None:
    guest = checked(await anonymous.call("POST", "/players/guests", **options), 201)
    assert guest["player"]["name"].startswith("Guest ")


async def test_a_guest_is_created_whatever_token_is_sent(anonymous: Device) -> None:
    await anonymous._replace(token="qx_rubbish").create_guest(name="Ann")


async def test_only_the_hash_of_a_token_is_stored(anonymous: Device) -> None:
    ann = await anonymous.create_guest(device="phone")
    stored = await in_a_thread(Session.objects.get, player=ann.player["id"])
    assert bytes(stored.token_hash) == hashlib.sha256(ann.token.encode()).digest()
    assert stored.device == "phone"


async def test_the_own_profile_has_all_members(ann: Device) -> None:
    me = await ann.get("/players/me")
    created_at = me.pop("created_at")
    assert created_at.endswith("Z")
    assert me == {**ann.player, "locale": None, "email": None, "email_confirmed": False, "games_waiting": 0}


async def test_a_new_name_is_shown_by_the_next_request_in_every_process(ann: Device, anonymous: Device) -> None:
    bob = await anonymous.create_guest(name="Bob")
    for on_second in (False, True):
        assert (await bob.get(f"/players/{ann.player['id']}", on_second=on_second))["name"] == "Ann"
    me = checked(await ann.call("PATCH", "/players/me", json={"name": "Anna", "locale": "de"}), 200)
    assert (me["name"], me["locale"]) == ("Anna", "de")
    assert (await ann.get("/players/me", on_second=True))["name"] == "Anna"
    assert await bob.get(f"/players/{ann.player['id']}", on_second=True) == {**ann.player, "name": "Anna"}
    checked(await ann.call("PATCH", "/players/me", json={"locale": None}), 200)
    assert await ann.get("/players/me") == {**me, "locale": None}


async def test_an_empty_change_of_a_profile_changes_nothing(ann: Device) -> None:
    before = await ann.get("/players/me")
    assert checked(await ann.call("PATCH", "/players/me", json={}), 200) == before


async def test_an_unknown_player_is_not_found(ann: Device) -> None:
    for unknown in (uuid7(), uuid4(), "unknown", "0"):
        is_problem(await ann.call("GET", f"/players/{unknown}"), 404, "not_found")


@pytest.mark.parametrize("path", ["/players/guests", "/players/me"])
@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 25, "A\x00", "\u202eAnn", "\u200b", None, 5, ["Ann"], {"a": "b"}, True]
)
async def test_an_invalid_name_is_malformed_with_a_pointer(ann: Device, path: str, name: Any) -> None:
    method = "PATCH" if path.endswith("me") else "POST"
    problem = is_problem(await ann.call(method, path, json={"name": name}), 400, "malformed")
    assert [error["pointer"] for error in problem["errors"]] == ["/name"]
    assert (await ann.get("/players/me"))["name"] == "Ann"


async def test_a_malformed_body_has_a_pointer_for_each_error(ann: Device) -> None:
    body = {"name": 5, "locale": "fr"}
    problem = is_problem(await ann.call("PATCH", "/players/me", json=body), 400, "malformed")
    assert sorted(error["pointer"] for error in problem["errors"]) == ["/locale", "/name"]


@pytest.mark.parametrize("body", [b"[]", b"null", b"5", b'"Ann"', b"{", b'{"name": "\\ud800"}', b"\xff", b"[" * 5000])
async def test_a_body_that_is_not_an_object_is_malformed(anonymous: Device, body: bytes) -> None:
    json = {"Content-Type": "application/json"}
    is_problem(await anonymous.call("POST", "/players/guests", content=body, headers=json), 400, "malformed")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({}, optional={"name": JSON, "locale": JSON, "device": JSON, "id": JSON, "email": JSON}))
async def test_any_change_of_a_profile_is_accepted_or_malformed(ann: Device, body: dict[str, Any]) -> None:
    response = await ann.call("PATCH", "/players/me", json=body)
    if response.status_code == 200:
        assert response.json()["id"] == ann.player["id"]
        assert response.json()["email"] is None
        assert names.name_error(response.json()["name"]) is None
    else:
        is_problem(response, 400, "malformed")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer qx_short", "Basic cXg6cXg=", "qx_", "Bearer " + "x" * 4000, "Token x y"]
)
async def test_a_response_to_an_invalid_token_names_the_required_scheme(ann: Device, header: str) -> None:
    response = await ann.call("GET", "/players/me", headers={"Authorization": header})
    is_problem(response, 401, "not_authenticated")
    assert response.headers["www-authenticate"].startswith("Bearer")


async def test_a_request_without_a_token_is_not_authenticated(anonymous: Device) -> None:
    for method, path in [
        ("GET", "/players/me"),
        ("PATCH", "/players/me"),
        ("GET", "/sessions"),
        ("DELETE", "/sessions"),
    ]:
        is_problem(await anonymous.call(method, path), 401, "not_authenticated")


async def test_the_list_of_devices_marks_the_current_device(anonymous: Device) -> None:
    phone = await anonymous.create_guest(device="phone")
    tablet = await another_device_of(phone)
    await anonymous.create_guest(device="another player's phone")
    listed = (await phone.get("/sessions"))["results"]
    assert [(one["device"], one["current"]) for one in listed] == [("tablet", False), ("phone", True)]
    assert all(set(one) == {"id", "device", "created_at", "last_seen_at", "current"} for one in listed)
    assert [one["current"] for one in (await tablet.get("/sessions"))["results"]] == [True, False]


async def test_revoking_one_session_leaves_the_others(ann: Device) -> None:
    tablet = await another_device_of(ann)
    listed = (await ann.get("/sessions"))["results"]
    (other,) = (one["id"] for one in listed if not one["current"])
    await tablet.get("/players/me")
    await ann.delete(f"/sessions/{other}")
    is_problem(await tablet.call("GET", "/players/me"), 401, "not_authenticated")
    assert len((await ann.get("/sessions"))["results"]) == 1
    is_problem(await ann.call("DELETE", f"/sessions/{other}"), 404, "not_found")


async def test_a_player_cannot_revoke_a_session_of_another_player(ann: Device, anonymous: Device) -> None:
    bob = await anonymous.create_guest(name="Bob")
    (session,) = (await bob.get("/sessions"))["results"]
    is_problem(await ann.call("DELETE", f"/sessions/{session['id']}"), 404, "not_found")
    await bob.get("/players/me")


async def test_a_device_can_log_itself_out(ann: Device) -> None:
    tablet = await another_device_of(ann)
    await ann.delete("/sessions/current")
    is_problem(await ann.call("GET", "/players/me"), 401, "not_authenticated")
    await tablet.get("/players/me")


async def test_revoking_all_sessions_works_at_once_here_and_within_a_second_elsewhere(ann: Device) -> None:
    tablet = await another_device_of(ann)
    for device in (ann, tablet):
        for on_second in (False, True):
            await device.get("/players/me", on_second=on_second)
    await ann.delete("/sessions")
    for device in (ann, tablet):
        is_problem(await device.call("GET", "/players/me"), 401, "not_authenticated")
    await is_refused_on_second_within_a_second(ann)
    is_problem(await tablet.call("GET", "/players/me", on_second=True), 401, "not_authenticated")


async def test_a_client_over_the_rate_limit_is_refused_whatever_address_it_forges(anonymous: Device) -> None:
    responses: list[httpx.Response] = []
    while not any(response.status_code == 429 for response in responses):
        busy = [anonymous._replace(address=f"6.6.6.{n}, 192.0.2.66") for n in range(100)]
        responses += await asyncio.gather(*(one.call("POST", "/players/guests", content=b"[]") for one in busy))
    refused = [response for response in responses if response.status_code != 400]
    assert len(responses) - len(refused) >= 240
    for response in refused:
        is_problem(response, 429, "too_many_requests")
        assert int(response.headers["retry-after"]) >= 1
    await anonymous._replace(address="192.0.2.66, 192.0.2.67").create_guest()


async def test_no_response_contains_a_secret(ann: Device) -> None:
    tablet = await another_device_of(ann)
    stored = await in_a_thread(lambda: [bytes(one.token_hash) for one in Session.objects.all()])
    for path in ("/players/me", f"/players/{ann.player['id']}", "/sessions", "/sessions/nothing", "/players/guests"):
        body = (await ann.call("GET", path)).text
        for secret in (ann.token, tablet.token, *(digest.hex() for digest in stored)):
            assert secret not in body
        assert "hash" not in body
        assert "password" not in body


async def test_another_process_learns_of_a_changed_language(anonymous: Device) -> None:
    ann = await anonymous.create_guest(name="Ann")
    await ann.get("/players/me", on_second=True)  # the second process has cached the session
    checked(await ann.call("PATCH", "/players/me", json={"locale": "pl"}), 200)
    changed, language = time.monotonic(), ""
    while language != "pl":
        assert time.monotonic() < changed + 2
        missing = await ann.call("GET", f"/players/{UUID(int=7)}", on_second=True)
        language = missing.headers["content-language"]
