"""A registration with an idempotency key can be repeated: the same player, a fresh token, nothing created twice."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from rest_framework.request import Request

from players.accounts import guests, registration_keys
from players.accounts.registration_keys import Registered, RegistrationRequest
from players.api.arrival import ARRIVED, arrived_at
from players.database.models import RegistrationKey
from players.models import Player, Session
from players.sessions import tokens
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import Device, Json, checked, is_problem
from tests.players.test_accounts import details, registered

KEY = "Ma7W0ZsgvBE7mJLdZpXk9Q"  # 22 characters
HEADERS = {"Idempotency-Key": KEY}
SECOND = timedelta(seconds=1)
BODIES: list[tuple[str, Json]] = [("/players/guests", {"name": "Ann", "device": "phone"}), ("/players", details())]


async def register(device: Device, path: str, body: Json, key: str = KEY, **options: Any) -> Any:
    return await device.call("POST", path, json=body, headers={"Idempotency-Key": key}, **options)


async def number_of_players() -> int:
    return await in_a_thread(Player.objects.count)


@pytest.mark.parametrize(("path", "body"), BODIES)
async def test_a_repeated_registration_gives_the_same_player_and_a_fresh_token(
    anonymous: Device, path: str, body: Json
) -> None:
    first, second = await register(anonymous, path, body), await register(anonymous, path, body, on_second=True)
    one, other = checked(first, 201), checked(second, 201)
    assert one["player"] == other["player"]
    assert one["token"] != other["token"]
    assert ("idempotent-replayed" in first.headers, second.headers["idempotent-replayed"]) == (False, "true")
    is_problem(await anonymous._replace(token=one["token"]).call("GET", "/players/me"), 401, "not_authenticated")
    ann = anonymous._replace(token=other["token"])
    assert (await ann.get("/players/me"))["id"] == one["player"]["id"]
    (session,) = (await ann.get("/sessions"))["results"]
    assert (session["device"], session["current"]) == ("phone", True)
    assert await number_of_players() == 1


@pytest.mark.parametrize(("path", "body"), BODIES)
async def test_simultaneous_registrations_with_one_key_create_one_player(
    anonymous: Device, path: str, body: Json
) -> None:
    calls = [register(anonymous, path, body, on_second=bool(number % 2)) for number in range(10)]
    answers = [checked(answer, 201) for answer in await asyncio.gather(*calls)]
    assert len({answer["player"]["id"] for answer in answers}) == 1
    assert len({answer["token"] for answer in answers}) == 10
    assert await number_of_players() == 1
    statuses = [
        (await anonymous._replace(token=answer["token"]).call("GET", "/players/me")).status_code for answer in answers
    ]
    assert sorted(statuses) == [200] + [401] * 9


@pytest.mark.django_db(transaction=True)
def test_a_request_that_is_carried_out_late_does_not_revoke_the_token_of_its_repeat() -> None:
    keyed = registration_keys.read_request(KEY, "/players/guests", {}, None, "phone")
    repeat = register_at(keyed, NOW + SECOND)
    first = register_at(keyed, NOW)
    assert (first.is_replay, first.session.player) == (True, repeat.session.player)
    assert valid(first, repeat) == [False, True]
    third = register_at(keyed, NOW + 2 * SECOND)
    assert valid(first, repeat, third) == [False, False, True]


def register_at(keyed: RegistrationRequest, moment: datetime) -> Registered:
    return registration_keys.once(keyed, moment, lambda: guests.create_guest(moment))


def valid(*registered: Registered) -> list[bool]:
    return [Session.objects.filter(pk=each.session.session, revoked_at=None).exists() for each in registered]


@pytest.mark.django_db
def test_a_request_has_arrived_before_it_waited_for_a_thread() -> None:
    waited, not_waited = HttpRequest(), HttpRequest()
    waited.META["asgi.scope"] = {ARRIVED: time.monotonic() - 60}
    apart = arrived_at(Request(not_waited)) - arrived_at(Request(waited))
    assert timedelta(seconds=50) < apart < timedelta(seconds=70)


async def test_a_key_of_another_registration_is_refused(anonymous: Device) -> None:
    ann = checked(await register(anonymous, "/players/guests", {"name": "Ann"}), 201)
    for path, body in (("/players/guests", {"name": "Bob"}), ("/players/guests", {}), ("/players", details())):
        is_problem(await register(anonymous, path, body), 422, "idempotency_key_reused")
    assert await number_of_players() == 1
    checked(await anonymous._replace(token=ann["token"]).call("GET", "/players/me"), 200)


async def test_only_a_success_uses_the_key(anonymous: Device) -> None:
    weak = {**details(), "password": "password1"}
    is_problem(await register(anonymous, "/players", weak), 422, "weak_password")
    await registered(anonymous)
    is_problem(await register(anonymous, "/players", details()), 409, "email_taken")
    assert await in_a_thread(RegistrationKey.objects.count) == 0
    checked(await register(anonymous, "/players", details(email="bob@example.org")), 201)


async def test_the_upgrade_of_a_guest_can_be_repeated_with_the_guests_token(anonymous: Device) -> None:
    guest = await anonymous.create_guest(name="Zoe")
    first = checked(await register(guest, "/players", details()), 201)
    second = checked(await register(guest, "/players", details(), on_second=True), 201)
    assert first["player"] == second["player"] == {**guest.player, "name": "Ann", "is_guest": False}
    is_problem(await guest._replace(token=first["token"]).call("GET", "/players/me"), 401, "not_authenticated")
    for token in (guest.token, second["token"]):  # the guest's own token stays valid
        assert not (await guest._replace(token=token).get("/players/me"))["is_guest"]
    is_problem(await register(anonymous, "/players", details()), 422, "idempotency_key_reused")  # not as that guest
    is_problem(await guest.call("POST", "/players", json=details()), 403, "not_allowed")  # without a key


@pytest.mark.parametrize(("length", "code"), [(0, "too_short"), (21, "too_short"), (65, "too_long")])
async def test_the_key_of_a_registration_has_22_to_64_characters(anonymous: Device, length: int, code: str) -> None:
    for path, body in BODIES:
        problem = is_problem(await register(anonymous, path, body, "k" * length), 400, "malformed")
        assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [("Idempotency-Key", code)]
    checked(await register(anonymous, *BODIES[0], "k" * 64), 201)


async def test_only_hashes_of_a_key_and_its_body_are_stored(anonymous: Device) -> None:
    checked(await register(anonymous, "/players", details()), 201)
    (row,) = await in_a_thread(lambda: list(RegistrationKey.objects.values_list("digest", "fingerprint")))
    assert all(len(bytes(stored)) == 32 and KEY.encode() not in bytes(stored) for stored in row)


@pytest.mark.parametrize("path", ["/sessions/current", "/sessions"])
async def test_a_player_who_logged_out_cannot_be_had_again_with_the_key(anonymous: Device, path: str) -> None:
    ann = checked(await register(anonymous, *BODIES[0]), 201)
    await anonymous._replace(token=ann["token"]).delete(path)
    again = checked(await register(anonymous, *BODIES[0]), 201)
    assert again["player"]["id"] != ann["player"]["id"]
    assert await number_of_players() == 2


async def test_a_deleted_player_leaves_no_key(anonymous: Device) -> None:
    ann = checked(await register(anonymous, "/players", details()), 201)
    await anonymous._replace(token=ann["token"]).delete("/players/me")
    assert await in_a_thread(RegistrationKey.objects.count) == 0
    checked(await register(anonymous, "/players", details()), 201)


async def test_a_key_is_kept_for_a_day(anonymous: Device) -> None:
    ann = checked(await register(anonymous, *BODIES[0]), 201)
    now = datetime.now(UTC)
    await in_a_thread(registration_keys.delete_expired, now + timedelta(hours=23))
    assert await in_a_thread(RegistrationKey.objects.count) == 1

    def age() -> None:
        RegistrationKey.objects.update(at=now - registration_keys.KEPT_FOR)

    await in_a_thread(age)
    later = checked(await register(anonymous, *BODIES[0]), 201)  # expired, though no task has deleted it yet
    assert later["player"]["id"] != ann["player"]["id"]
    await in_a_thread(registration_keys.delete_expired, now + timedelta(hours=25))
    assert await in_a_thread(RegistrationKey.objects.count) == 0
    checked(await anonymous._replace(token=ann["token"]).call("GET", "/players/me"), 200)


async def test_a_banned_player_gets_no_fresh_token(anonymous: Device) -> None:
    ann = checked(await register(anonymous, *BODIES[0]), 201)

    def ban() -> None:
        Player.objects.filter(pk=ann["player"]["id"]).update(banned_until=datetime.now(UTC) + timedelta(days=1))

    await in_a_thread(ban)
    is_problem(await register(anonymous, *BODIES[0]), 403, "banned")
    digest = tokens.digest(ann["token"])
    assert await in_a_thread(Session.objects.filter(token_hash=digest, revoked_at=None).exists)
