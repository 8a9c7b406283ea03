"""Accounts over REST, on two real web processes: register, upgrade a guest, sign in, lock out, change a password."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest

from players.languages.accept_language import LANGUAGES
from players.limits import lockout
from players.models import Attempt, Player, Session
from tests.players.conftest import in_a_thread
from tests.players.processes import Device, Json, checked, is_dead_there_within_a_second, is_problem

PASSWORD = "correct horse battery"
OTHER = "staple in a haystack"


def details(**changes: Any) -> Json:
    return {"name": "Ann", "email": "ann@example.org", "password": PASSWORD, "device": "phone", **changes}


async def registered(where: Device, **changes: Any) -> Device:
    opened = checked(await where.call("POST", "/players", json=details(**changes)), 201)
    return where._replace(token=opened["token"], player=opened["player"])


async def sign_in(device: Device, password: str = PASSWORD, email: str = "ann@example.org", **how: Any) -> Any:
    return await device._replace(token="").call("POST", "/sessions", json={"email": email, "password": password}, **how)


async def test_whoever_registers_is_a_player_with_a_token(stranger: Device) -> None:
    answer = await stranger.call("POST", "/players", json=details(email=" Ann@Example.ORG"))
    opened = checked(answer, 201)
    assert set(opened) == {"player", "token"}
    assert opened["player"] == {"id": opened["player"]["id"], "name": "Ann", "is_guest": False, "is_bot": False}
    assert (UUID(opened["player"]["id"]).version, opened["token"][:3]) == (7, "qx_")
    assert answer.headers["cache-control"] == "no-store"
    me = await stranger._replace(token=opened["token"]).get("/players/me", is_there=True)
    assert (me["email"], me["email_confirmed"], me["is_guest"]) == ("ann@example.org", False, False)


async def test_the_password_is_stored_as_its_argon2_hash_alone(stranger: Device) -> None:
    ann = await registered(stranger)
    stored = await in_a_thread(Player.objects.get, pk=ann.player["id"])
    assert stored.password.startswith("argon2$argon2id$")
    assert PASSWORD not in repr(stored.__dict__)


async def test_a_guest_becomes_an_account_and_keeps_everything(stranger: Device) -> None:
    guest = await stranger.arrive(name="Guest", device="phone")
    for is_there in (False, True):
        assert (await guest.get("/players/me", is_there=is_there))["is_guest"]
    game = checked(await guest.call("POST", "/games", json={"ruleset": "qwixx"}), 201)
    account = await registered(guest, device="tablet")
    assert account.player == {**guest.player, "name": "Ann", "is_guest": False}
    assert account.token != guest.token
    for device in (guest, account):  # the old token is the same player's, too
        me = await device.get("/players/me", is_there=True)
        assert (me["id"], me["name"], me["is_guest"]) == (guest.player["id"], "Ann", False)
    assert [one["device"] for one in (await account.get("/sessions"))["results"]] == ["tablet", "phone"]
    seats = (await account.get(f"/games/{game['id']}", is_there=True))["seats"]
    assert seats[0]["player"] == account.player


async def test_an_account_cannot_be_registered_once_more(stranger: Device) -> None:
    ann = await registered(stranger)
    is_problem(await ann.call("POST", "/players", json=details(email="b@example.org")), 403, "not_allowed")
    rubbish = stranger._replace(token="qx_rubbish")
    is_problem(await rubbish.call("POST", "/players", json=details(email="b@example.org")), 401, "not_authenticated")


async def test_a_guest_registered_twice_at_once_is_one_account(stranger: Device) -> None:
    guest = await stranger.arrive()
    calls = [
        guest.call("POST", "/players", json=details(email=f"{n}@example.org"), is_there=bool(n % 2)) for n in range(4)
    ]
    answers = await asyncio.gather(*calls)
    assert sorted(answer.status_code for answer in answers) == [201, 403, 403, 403]
    won = next(n for n, answer in enumerate(answers) if answer.status_code == 201)
    assert (await guest.get("/players/me"))["email"] == f"{won}@example.org"


async def test_an_address_belongs_to_one_account_however_it_is_written(stranger: Device) -> None:
    calls = [
        stranger.call("POST", "/players", json=details(email=email), is_there=bool(n % 2))
        for n, email in enumerate(["ann@example.org", "ANN@example.org", "Ann@EXAMPLE.org", " ann@example.org "])
    ]
    answers = await asyncio.gather(*calls)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    is_problem(refused, 409, "email_taken")
    assert await in_a_thread(Player.objects.count) == 1
    guest = await stranger.arrive()
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
async def test_what_is_wrong_with_a_registration_is_pointed_at(
    stranger: Device, changes: Json, pointers: list[str]
) -> None:
    problem = is_problem(await stranger.call("POST", "/players", json=details(**changes)), 400, "malformed")
    assert sorted(error["pointer"] for error in problem["errors"]) == pointers


async def test_everything_but_the_device_is_needed(stranger: Device) -> None:
    problem = is_problem(await stranger.call("POST", "/players", json={}), 400, "malformed")
    assert sorted(error["pointer"] for error in problem["errors"]) == ["/email", "/name", "/password"]
    bare = details()
    del bare["device"]
    checked(await stranger.call("POST", "/players", json=bare), 201)


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("k7#pQ", "password_too_short"),
        ("password1", "password_too_common"),
        ("9471028365", "password_entirely_numeric"),
        ("ann@example.or", "password_too_similar"),
    ],
)
async def test_a_weak_password_is_told_why_in_every_language(stranger: Device, password: str, code: str) -> None:
    said = set()
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        answer = await stranger.call("POST", "/players", json=details(password=password), headers=headers)
        (error,) = is_problem(answer, 422, "weak_password")["errors"]
        assert (error["pointer"], error["code"]) == ("/password", code)
        assert error["detail"] == error["detail"].strip() != ""
        said.add(error["detail"])
    assert len(said) == 5
    assert await in_a_thread(Player.objects.count) == 0


async def test_blanks_around_a_password_count(stranger: Device) -> None:
    await registered(stranger, password=f" {PASSWORD} ")
    is_problem(await sign_in(stranger), 401, "invalid_credentials")
    checked(await sign_in(stranger, f" {PASSWORD} "), 201)


async def test_signing_in_opens_one_more_session(stranger: Device) -> None:
    phone = await registered(stranger)
    body = {"email": "ANN@example.org", "password": PASSWORD, "device": "tablet"}
    opened = checked(await stranger.call("POST", "/sessions", json=body, is_there=True), 201)
    assert opened["player"] == phone.player
    tablet = phone._replace(token=opened["token"])
    listed = (await tablet.get("/sessions"))["results"]
    assert [(one["device"], one["current"]) for one in listed] == [("tablet", True), ("phone", False)]


async def test_a_token_that_no_longer_works_does_not_keep_one_from_signing_in(stranger: Device) -> None:
    ann = await registered(stranger)
    await ann.delete("/sessions")
    checked(await ann.call("POST", "/sessions", json={"email": "ann@example.org", "password": PASSWORD}), 201)


def without_id(answer: httpx.Response) -> Json:
    return {name: value for name, value in answer.json().items() if name != "request_id"}


async def test_whether_an_address_exists_is_not_told_when_signing_in(stranger: Device) -> None:
    await registered(stranger)
    for _ in range(5):
        known, unknown = [await sign_in(stranger, OTHER, email) for email in ("ann@example.org", "nobody@example.org")]
        is_problem(unknown, 401, "invalid_credentials")
        assert without_id(known) == without_id(unknown)
        assert set(known.headers) == set(unknown.headers)
    locked = [await sign_in(stranger, OTHER, email) for email in ("ann@example.org", "nobody@example.org")]
    assert [answer.status_code for answer in locked] == [429, 429]
    assert without_id(locked[0]) == without_id(locked[1])


async def test_five_wrong_passwords_lock_an_account_in_every_process_even_for_the_right_one(stranger: Device) -> None:
    ann = await registered(stranger)
    for n in range(5):
        is_problem(await sign_in(stranger, OTHER, is_there=bool(n % 2)), 401, "invalid_credentials")
    for is_there in (False, True):
        for password in (OTHER, PASSWORD):
            answer = await sign_in(stranger._replace(address="192.0.2.9"), password, is_there=is_there)
            is_problem(answer, 429, "too_many_requests")
            assert 1 <= int(answer.headers["retry-after"]) <= 60
    await ann.get("/players/me")
    await registered(stranger, email="bob@example.org")
    checked(await sign_in(stranger, email="bob@example.org"), 201)


async def test_guesses_made_at_once_are_counted_as_well(stranger: Device) -> None:
    await registered(stranger)
    answers = await asyncio.gather(*(sign_in(stranger, f"{OTHER} {n}", is_there=bool(n % 2)) for n in range(12)))
    assert sorted(answer.status_code for answer in answers) == [401] * 5 + [429] * 7


async def test_devices_that_sign_in_at_once_all_get_in(stranger: Device) -> None:
    await registered(stranger)
    answers = await asyncio.gather(*(sign_in(stranger, is_there=bool(n % 2)) for n in range(8)))
    assert [answer.status_code for answer in answers] == [201] * 8


async def test_an_account_opens_again_after_a_minute(stranger: Device) -> None:
    await registered(stranger)
    for _ in range(5):
        is_problem(await sign_in(stranger, OTHER), 401, "invalid_credentials")
    is_problem(await sign_in(stranger), 429, "too_many_requests")

    def let_a_minute_pass() -> None:
        for attempt in Attempt.objects.all():
            Attempt.objects.filter(pk=attempt.pk).update(at=attempt.at.replace(year=attempt.at.year - 1))

    await in_a_thread(let_a_minute_pass)
    checked(await sign_in(stranger), 201)


async def test_what_is_kept_of_failures_names_nobody(stranger: Device) -> None:
    await sign_in(stranger, OTHER)
    kept = await in_a_thread(lambda: [bytes(attempt.key) for attempt in Attempt.objects.all()])
    assert [len(key) for key in kept] == [32, 32]


async def test_an_address_that_guesses_everybodys_password_is_locked_out_too(stranger: Device) -> None:
    await registered(stranger)
    guesser = stranger._replace(address="203.0.113.7")

    def have_failed() -> None:
        for _ in range(lockout.FAILURES_PER_ADDRESS.most):
            lockout.note(lockout.FAILURES_PER_ADDRESS, guesser.address, datetime.now(UTC))

    await in_a_thread(have_failed)
    is_problem(await sign_in(guesser), 429, "too_many_requests")
    checked(await sign_in(stranger), 201)


async def test_who_is_not_active_is_told_only_with_the_right_password(stranger: Device) -> None:
    ann = await registered(stranger)
    await in_a_thread(Player.objects.filter(pk=ann.player["id"]).update, is_active=False)
    is_problem(await sign_in(stranger, OTHER), 401, "invalid_credentials")
    is_problem(await sign_in(stranger), 403, "banned")


async def test_a_changed_password_logs_the_other_devices_out(stranger: Device) -> None:
    phone = await registered(stranger)
    tablet = phone._replace(token=checked(await sign_in(stranger), 201)["token"])
    await tablet.get("/players/me", is_there=True)
    body = {"old": PASSWORD, "new": OTHER}
    answer = await phone.call("POST", "/players/me/password", json=body)
    assert (answer.status_code, answer.content) == (204, b"")
    await phone.get("/players/me")
    is_problem(await tablet.call("GET", "/players/me"), 401, "not_authenticated")
    await is_dead_there_within_a_second(tablet)
    is_problem(await sign_in(stranger), 401, "invalid_credentials")
    checked(await sign_in(stranger, OTHER), 201)


async def test_a_password_is_changed_only_by_who_knows_it(stranger: Device) -> None:
    ann = await registered(stranger)
    path = "/players/me/password"
    is_problem(await (await stranger.arrive()).call("POST", path, json={"old": "x", "new": OTHER}), 403, "not_allowed")
    weak = is_problem(await ann.call("POST", path, json={"old": PASSWORD, "new": "ann"}), 422, "weak_password")
    assert {error["pointer"] for error in weak["errors"]} == {"/new"}
    is_problem(await ann.call("POST", path, json={"old": PASSWORD}), 400, "malformed")
    for _ in range(5):
        is_problem(await ann.call("POST", path, json={"old": OTHER, "new": OTHER}), 401, "invalid_credentials")
    is_problem(await ann.call("POST", path, json={"old": PASSWORD, "new": OTHER}), 429, "too_many_requests")
    is_problem(await sign_in(stranger), 429, "too_many_requests")


async def test_a_key_changes_the_password_once(stranger: Device) -> None:
    ann = await registered(stranger)
    path, body, key = "/players/me/password", {"old": PASSWORD, "new": OTHER}, {"Idempotency-Key": "k1"}
    twins = [ann.call("POST", path, json=body, headers=key, is_there=is_there) for is_there in (False, True)]
    answers = [*await asyncio.gather(*twins), await ann.call("POST", path, json=body, headers=key)]
    assert [answer.status_code for answer in answers] == [204] * 3
    assert sum("idempotent-replayed" in answer.headers for answer in answers) == 2
    other = await ann.call("POST", path, json={"old": OTHER, "new": PASSWORD}, headers=key)
    is_problem(other, 422, "idempotency_key_reused")
    long = await ann.call("POST", path, json=body, headers={"Idempotency-Key": "k" * 65})
    is_problem(long, 400, "malformed")
    checked(await sign_in(stranger, OTHER), 201)


async def test_a_key_that_came_with_a_mistake_is_not_used_up(stranger: Device) -> None:
    ann = await registered(stranger)
    path, key = "/players/me/password", {"Idempotency-Key": "k1"}
    wrong = await ann.call("POST", path, json={"old": OTHER, "new": OTHER}, headers=key)
    is_problem(wrong, 401, "invalid_credentials")
    right = await ann.call("POST", path, json={"old": PASSWORD, "new": OTHER}, headers=key)
    assert (right.status_code, "idempotent-replayed" in right.headers) == (204, False)


async def test_no_token_is_handed_out_twice_for_a_key(stranger: Device) -> None:
    key = {"Idempotency-Key": "k1"}
    await registered(stranger)
    body = {"email": "ann@example.org", "password": PASSWORD}
    opened = [checked(await stranger.call("POST", "/sessions", json=body, headers=key), 201) for _ in range(2)]
    assert opened[0]["token"] != opened[1]["token"]
    assert await in_a_thread(Session.objects.count) == 3
