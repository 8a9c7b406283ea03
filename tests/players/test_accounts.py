"""Accounts over REST on two web processes: registration, sign-in, lockout and password changes."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest

from players.accounts.models import Player
from players.languages.accept_language import LANGUAGES
from players.limits import lockout
from players.limits.addresses import address_key
from players.limits.models import Attempt
from players.sessions.models import Session
from tests.players.conftest import in_a_thread
from tests.players.devices import Device, Json, checked, is_problem, is_refused_on_second_within_a_second

PASSWORD = "correct horse battery"
OTHER = "staple in a haystack"


def details(**changes: Any) -> Json:
    return {"name": "Ann", "email": "ann@example.org", "password": PASSWORD, "device": "phone", **changes}


async def registered(where: Device, **changes: Any) -> Device:
    created = checked(await where.call("POST", "/players", json=details(**changes)), 201)
    return where._replace(token=created["token"], player=created["player"])


async def sign_in(device: Device, password: str = PASSWORD, email: str = "ann@example.org", **how: Any) -> Any:
    return await device._replace(token="").call("POST", "/sessions", json={"email": email, "password": password}, **how)


async def test_registration_returns_a_player_and_a_token(anonymous: Device) -> None:
    response = await anonymous.call("POST", "/players", json=details(email=" Ann@Example.ORG"))
    created = checked(response, 201)
    assert set(created) == {"player", "token"}
    assert created["player"] == {"id": created["player"]["id"], "name": "Ann", "is_guest": False, "is_bot": False}
    assert (UUID(created["player"]["id"]).version, created["token"][:3]) == (7, "qx_")
    assert response.headers["cache-control"] == "no-store"
    me = await anonymous._replace(token=created["token"]).get("/players/me", on_second=True)
    assert (me["email"], me["email_confirmed"], me["is_guest"]) == ("ann@example.org", False, False)


async def test_only_the_argon2_hash_of_a_password_is_stored(anonymous: Device) -> None:
    ann = await registered(anonymous)
    stored = await in_a_thread(Player.objects.get, pk=ann.player["id"])
    assert stored.password.startswith("argon2$argon2id$")
    assert PASSWORD not in repr(stored.__dict__)


async def test_a_guest_becomes_an_account_and_keeps_everything(anonymous: Device) -> None:
    guest = await anonymous.create_guest(name="Guest", device="phone")
    for on_second in (False, True):
        assert (await guest.get("/players/me", on_second=on_second))["is_guest"]
    game = checked(await guest.call("POST", "/games", json={"ruleset": "qwixx"}), 201)
    account = await registered(guest, device="tablet")
    assert account.player == {**guest.player, "name": "Ann", "is_guest": False}
    assert account.token != guest.token
    for device in (guest, account):  # the old token is the same player's, too
        me = await device.get("/players/me", on_second=True)
        assert (me["id"], me["name"], me["is_guest"]) == (guest.player["id"], "Ann", False)
    assert [one["device"] for one in (await account.get("/sessions"))["results"]] == ["tablet", "phone"]
    seats = (await account.get(f"/games/{game['id']}", on_second=True))["seats"]
    assert seats[0]["player"] == account.player


async def test_an_account_cannot_register_again(anonymous: Device) -> None:
    ann = await registered(anonymous)
    is_problem(await ann.call("POST", "/players", json=details(email="b@example.org")), 403, "not_allowed")
    rubbish = anonymous._replace(token="qx_rubbish")
    is_problem(await rubbish.call("POST", "/players", json=details(email="b@example.org")), 401, "not_authenticated")


async def test_a_guest_who_registers_twice_at_once_becomes_one_account(anonymous: Device) -> None:
    guest = await anonymous.create_guest()
    calls = [
        guest.call("POST", "/players", json=details(email=f"{n}@example.org"), on_second=bool(n % 2)) for n in range(4)
    ]
    responses = await asyncio.gather(*calls)
    assert sorted(response.status_code for response in responses) == [201, 403, 403, 403]
    accepted = next(n for n, response in enumerate(responses) if response.status_code == 201)
    assert (await guest.get("/players/me"))["email"] == f"{accepted}@example.org"


async def test_an_address_in_another_spelling_belongs_to_the_same_account(anonymous: Device) -> None:
    calls = [
        anonymous.call("POST", "/players", json=details(email=email), on_second=bool(n % 2))
        for n, email in enumerate(["ann@example.org", "ANN@example.org", "Ann@EXAMPLE.org", " ann@example.org "])
    ]
    responses = await asyncio.gather(*calls)
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409]
    refused = next(response for response in responses if response.status_code == 409)
    is_problem(refused, 409, "email_taken")
    assert await in_a_thread(Player.objects.count) == 1
    guest = await anonymous.create_guest()
    is_problem(await guest.call("POST", "/players", json=details()), 409, "email_taken")
    assert (await guest.get("/players/me"))["is_guest"]


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"email": "ann"}, ["/email"]),
        ({"email": "a@b.de\r\nBcc: c@d.de"}, ["/email"]),
        ({"email": "a" * 250 + "@example.org"}, ["/email"]),
        ({"email": None, "name": ""}, ["/email", "/name"]),
        ({"password": 12345678}, ["/password"]),
        ({"password": ""}, ["/password"]),
        ({"password": "x" * 1025}, ["/password"]),
        ({"device": "x" * 65}, ["/device"]),
    ],
)
async def test_a_malformed_registration_points_at_the_wrong_member(
    anonymous: Device, changes: Json, pointers: list[str]
) -> None:
    problem = is_problem(await anonymous.call("POST", "/players", json=details(**changes)), 400, "malformed")
    assert sorted(error["pointer"] for error in problem["errors"]) == pointers


async def test_a_registration_requires_all_members_except_the_device(anonymous: Device) -> None:
    problem = is_problem(await anonymous.call("POST", "/players", json={}), 400, "malformed")
    assert sorted(error["pointer"] for error in problem["errors"]) == ["/email", "/name", "/password"]
    bare = details()
    del bare["device"]
    checked(await anonymous.call("POST", "/players", json=bare), 201)


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("k7#pQ", "too_short"),
        ("password1", "wrong_format"),
        ("9471028365", "wrong_format"),
        ("ann@example.or", "wrong_format"),
    ],
)
async def test_a_weak_password_is_refused_with_translated_reasons(anonymous: Device, password: str, code: str) -> None:
    reasons = set()
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        response = await anonymous.call("POST", "/players", json=details(password=password), headers=headers)
        (error,) = is_problem(response, 422, "weak_password")["errors"]
        assert (error["pointer"], error["code"]) == ("/password", code)
        assert error["detail"] == error["detail"].strip() != ""
        reasons.add(error["detail"])
    assert len(reasons) == 5
    assert await in_a_thread(Player.objects.count) == 0


async def test_blanks_around_a_password_are_part_of_it(anonymous: Device) -> None:
    await registered(anonymous, password=f" {PASSWORD} ")
    is_problem(await sign_in(anonymous), 401, "invalid_credentials")
    checked(await sign_in(anonymous, f" {PASSWORD} "), 201)


async def test_signing_in_opens_one_more_session(anonymous: Device) -> None:
    phone = await registered(anonymous)
    body = {"email": "ANN@example.org", "password": PASSWORD, "device": "tablet"}
    created = checked(await anonymous.call("POST", "/sessions", json=body, on_second=True), 201)
    assert created["player"] == phone.player
    tablet = phone._replace(token=created["token"])
    listed = (await tablet.get("/sessions"))["results"]
    assert [(one["device"], one["current"]) for one in listed] == [("tablet", True), ("phone", False)]


async def test_a_client_with_a_revoked_token_can_sign_in(anonymous: Device) -> None:
    ann = await registered(anonymous)
    await ann.delete("/sessions")
    checked(await ann.call("POST", "/sessions", json={"email": "ann@example.org", "password": PASSWORD}), 201)


def without_id(response: httpx.Response) -> Json:
    return {name: value for name, value in response.json().items() if name != "request_id"}


async def test_a_failed_sign_in_does_not_reveal_whether_an_address_exists(anonymous: Device) -> None:
    await registered(anonymous)
    for _ in range(5):
        known, unknown = [
            await sign_in(anonymous, OTHER, email) for email in ("ann@example.org", "unknown@example.org")
        ]
        is_problem(unknown, 401, "invalid_credentials")
        assert without_id(known) == without_id(unknown)
        assert set(known.headers) == set(unknown.headers)
    locked = [await sign_in(anonymous, OTHER, email) for email in ("ann@example.org", "unknown@example.org")]
    assert [response.status_code for response in locked] == [429, 429]
    assert without_id(locked[0]) == without_id(locked[1])


async def test_five_wrong_passwords_lock_an_account_in_every_process_for_every_password(
    anonymous: Device,
) -> None:
    ann = await registered(anonymous)
    for n in range(5):
        is_problem(await sign_in(anonymous, OTHER, on_second=bool(n % 2)), 401, "invalid_credentials")
    for on_second in (False, True):
        for password in (OTHER, PASSWORD):
            response = await sign_in(anonymous._replace(address="192.0.2.9"), password, on_second=on_second)
            is_problem(response, 429, "too_many_requests")
            assert 1 <= int(response.headers["retry-after"]) <= 60
    await ann.get("/players/me")
    await registered(anonymous, email="bob@example.org")
    checked(await sign_in(anonymous, email="bob@example.org"), 201)


async def test_simultaneous_wrong_passwords_are_all_counted(anonymous: Device) -> None:
    await registered(anonymous)
    responses = await asyncio.gather(*(sign_in(anonymous, f"{OTHER} {n}", on_second=bool(n % 2)) for n in range(12)))
    assert sorted(response.status_code for response in responses) == [401] * 5 + [429] * 7


async def test_devices_that_sign_in_at_once_all_get_tokens(anonymous: Device) -> None:
    await registered(anonymous)
    responses = await asyncio.gather(*(sign_in(anonymous, on_second=bool(n % 2)) for n in range(8)))
    assert [response.status_code for response in responses] == [201] * 8


async def test_beyond_a_hundred_devices_the_one_used_longest_ago_is_logged_out(anonymous: Device) -> None:
    ann = await registered(anonymous)
    earlier = [
        Session(player_id=ann.player["id"], token_hash=bytes([number]) * 32, device=f"{number}", last_seen_at=seen)
        for number in range(99)
        for seen in [datetime(2026, 1, 1, number // 60, number % 60, tzinfo=UTC)]
    ]
    await in_a_thread(Session.objects.bulk_create, earlier)
    phone = ann._replace(token=checked(await sign_in(ann), 201)["token"])
    listed = [one["device"] for one in (await phone.get("/sessions"))["results"]]
    assert len(listed) == 100
    assert {"0"}.isdisjoint(listed), "the first of the others, used longest ago"
    assert {"1", "98", "phone"} <= {*listed}


async def test_a_locked_account_is_unlocked_after_a_minute(anonymous: Device) -> None:
    await registered(anonymous)
    for _ in range(5):
        is_problem(await sign_in(anonymous, OTHER), 401, "invalid_credentials")
    is_problem(await sign_in(anonymous), 429, "too_many_requests")

    def let_a_minute_pass() -> None:
        for attempt in Attempt.objects.all():
            Attempt.objects.filter(pk=attempt.pk).update(at=attempt.at.replace(year=attempt.at.year - 1))

    await in_a_thread(let_a_minute_pass)
    checked(await sign_in(anonymous), 201)


async def test_stored_failures_contain_no_address(anonymous: Device) -> None:
    await sign_in(anonymous, OTHER)
    kept = await in_a_thread(lambda: [bytes(attempt.key) for attempt in Attempt.objects.all()])
    assert [len(key) for key in kept] == [32, 32]


async def test_a_client_address_with_many_wrong_passwords_is_locked_out(anonymous: Device) -> None:
    await registered(anonymous)
    guesser = anonymous._replace(address="203.0.113.7")

    def have_failed() -> None:
        for _ in range(lockout.FAILURES_PER_ADDRESS.attempts):
            lockout.count(lockout.FAILURES_PER_ADDRESS, guesser.address, datetime.now(UTC))

    await in_a_thread(have_failed)
    is_problem(await sign_in(guesser), 429, "too_many_requests")
    checked(await sign_in(anonymous), 201)


async def test_addresses_of_one_ipv6_network_are_locked_out_together(anonymous: Device) -> None:
    await registered(anonymous)
    first, second, other = [
        anonymous._replace(address=each) for each in ("2001:db8:1:2::7", "2001:DB8:1:2:aaaa::9", "2001:db8:1:3::7")
    ]

    def have_failed() -> None:
        for _ in range(lockout.FAILURES_PER_ADDRESS.attempts - 1):
            lockout.count(lockout.FAILURES_PER_ADDRESS, address_key(first.address), datetime.now(UTC))

    await in_a_thread(have_failed)
    is_problem(await sign_in(first, OTHER), 401, "invalid_credentials")
    is_problem(await sign_in(second), 429, "too_many_requests")
    checked(await sign_in(other), 201)


async def test_an_inactive_account_is_revealed_only_with_the_right_password(anonymous: Device) -> None:
    ann = await registered(anonymous)
    await in_a_thread(Player.objects.filter(pk=ann.player["id"]).update, is_active=False)
    is_problem(await sign_in(anonymous, OTHER), 401, "invalid_credentials")
    is_problem(await sign_in(anonymous), 403, "banned")


async def test_a_changed_password_logs_all_other_devices_out(anonymous: Device) -> None:
    phone = await registered(anonymous)
    tablet = phone._replace(token=checked(await sign_in(anonymous), 201)["token"])
    await tablet.get("/players/me", on_second=True)
    body = {"old": PASSWORD, "new": OTHER}
    response = await phone.call("POST", "/players/me/password", json=body)
    assert (response.status_code, response.content) == (204, b"")
    await phone.get("/players/me")
    is_problem(await tablet.call("GET", "/players/me"), 401, "not_authenticated")
    await is_refused_on_second_within_a_second(tablet)
    is_problem(await sign_in(anonymous), 401, "invalid_credentials")
    checked(await sign_in(anonymous, OTHER), 201)


async def test_a_password_change_requires_the_old_password(anonymous: Device) -> None:
    ann = await registered(anonymous)
    path = "/players/me/password"
    is_problem(
        await (await anonymous.create_guest()).call("POST", path, json={"old": "x", "new": OTHER}), 403, "not_allowed"
    )
    weak = is_problem(await ann.call("POST", path, json={"old": PASSWORD, "new": "ann"}), 422, "weak_password")
    assert {error["pointer"] for error in weak["errors"]} == {"/new"}
    is_problem(await ann.call("POST", path, json={"old": PASSWORD}), 400, "malformed")
    for _ in range(5):
        is_problem(await ann.call("POST", path, json={"old": OTHER, "new": OTHER}), 401, "invalid_credentials")
    is_problem(await ann.call("POST", path, json={"old": PASSWORD, "new": OTHER}), 429, "too_many_requests")
    is_problem(await sign_in(anonymous), 429, "too_many_requests")


async def test_a_repeated_idempotency_key_changes_the_password_once(anonymous: Device) -> None:
    ann = await registered(anonymous)
    path, body, key = "/players/me/password", {"old": PASSWORD, "new": OTHER}, {"Idempotency-Key": "k1"}
    simultaneous = [ann.call("POST", path, json=body, headers=key, on_second=on_second) for on_second in (False, True)]
    responses = [*await asyncio.gather(*simultaneous), await ann.call("POST", path, json=body, headers=key)]
    assert [response.status_code for response in responses] == [204] * 3
    assert sum("idempotent-replayed" in response.headers for response in responses) == 2
    other = await ann.call("POST", path, json={"old": OTHER, "new": PASSWORD}, headers=key)
    is_problem(other, 422, "idempotency_key_reused")
    long = await ann.call("POST", path, json=body, headers={"Idempotency-Key": "k" * 65})
    is_problem(long, 400, "malformed")
    checked(await sign_in(anonymous, OTHER), 201)


async def test_a_refused_request_leaves_its_idempotency_key_unused(anonymous: Device) -> None:
    ann = await registered(anonymous)
    path, key = "/players/me/password", {"Idempotency-Key": "k1"}
    wrong = await ann.call("POST", path, json={"old": OTHER, "new": OTHER}, headers=key)
    is_problem(wrong, 401, "invalid_credentials")
    right = await ann.call("POST", path, json={"old": PASSWORD, "new": OTHER}, headers=key)
    assert (right.status_code, "idempotent-replayed" in right.headers) == (204, False)


async def test_sign_in_ignores_idempotency_keys_and_returns_new_tokens(anonymous: Device) -> None:
    key = {"Idempotency-Key": "k1"}
    await registered(anonymous)
    body = {"email": "ann@example.org", "password": PASSWORD}
    created = [checked(await anonymous.call("POST", "/sessions", json=body, headers=key), 201) for _ in range(2)]
    assert created[0]["token"] != created[1]["token"]
    assert await in_a_thread(Session.objects.count) == 3
