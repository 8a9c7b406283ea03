"""An idempotency key belongs to one request of one player, whether it changes a game or an account."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

from games.log.models import Receipt as GameReceipt
from players.database import idempotency
from players.database.models import IdempotencyKey
from tests.players.conftest import in_a_thread
from tests.players.devices import Device, Json, checked, is_problem
from tests.players.test_accounts import OTHER, PASSWORD, registered, sign_in

KEY = {"Idempotency-Key": "k1"}
PATH, CHANGE = "/players/me/password", {"old": PASSWORD, "new": OTHER}


async def game_of(device: Device, **options: Any) -> Json:
    return dict(checked(await device.call("POST", "/games", json={"ruleset": "qwixx"}, **options), 201))


async def test_a_key_used_for_a_game_is_refused_for_an_account(anonymous: Device) -> None:
    ann = await registered(anonymous)
    game = await game_of(ann, headers=KEY)
    is_problem(await ann.call("POST", PATH, json=CHANGE, headers=KEY, on_second=True), 422, "idempotency_key_reused")
    wrong = {"old": OTHER, "new": OTHER}
    is_problem(await ann.call("POST", PATH, json=wrong, headers=KEY), 422, "idempotency_key_reused")
    assert await game_of(ann, headers=KEY) == game
    checked(await sign_in(anonymous), 201)  # nothing was changed
    checked(await ann.call("POST", PATH, json=CHANGE, headers={"Idempotency-Key": "k2"}), 204)


async def test_a_key_used_for_an_account_is_refused_for_games(anonymous: Device) -> None:
    ann = await registered(anonymous)
    game = await game_of(ann)
    assert (await ann.call("POST", PATH, json=CHANGE, headers=KEY)).status_code == 204
    join, bots = f"/games/{game['id']}/join", f"/games/{game['id']}/bots"
    for path, body in (("/games", {"ruleset": "qwixx"}), (bots, {"level": "easy"}), (join, {})):
        response = await ann.call("POST", path, json=body, headers=KEY, on_second=True)
        is_problem(response, 422, "idempotency_key_reused")
    again = await ann.call("POST", PATH, json=CHANGE, headers=KEY)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (204, "true")
    assert (await ann.get(f"/games/{game['id']}"))["version"] == game["version"]


async def test_a_game_request_that_appends_nothing_also_uses_its_key(anonymous: Device) -> None:
    ann = await registered(anonymous)
    game = await game_of(ann)
    phrase = await ann.call("POST", f"/games/{game['id']}/phrases", json={"key": "hello"}, headers=KEY)
    checked(phrase, 200)
    is_problem(await ann.call("POST", PATH, json=CHANGE, headers=KEY), 422, "idempotency_key_reused")


async def test_simultaneous_game_and_account_requests_with_one_key_do_one_of_them(anonymous: Device) -> None:
    """The game request comes from a device that the password change logs out; they must not deadlock."""
    ann = await registered(anonymous)
    password = PASSWORD
    for n in range(8):
        tablet = ann._replace(token=checked(await sign_in(anonymous, password), 201)["token"])
        key, other = {"Idempotency-Key": f"race {n}"}, f"{PASSWORD} {n}"
        body = {"old": password, "new": other}
        calls = [
            tablet.call("POST", "/games", json={"ruleset": "qwixx"}, headers=key, on_second=True) for _ in range(2)
        ]
        calls.insert(n % 3, ann.call("POST", PATH, json=body, headers=key))
        async with asyncio.timeout(15):
            responses = await asyncio.gather(*calls)
        changed = responses.pop(n % 3)
        if changed.status_code == 204:
            password = other
            assert {response.status_code for response in responses} <= {401, 422}
        else:
            is_problem(changed, 422, "idempotency_key_reused")
            assert [response.status_code for response in responses] == [201, 201]
            assert responses[0].json() == responses[1].json()
    keys = await in_a_thread(lambda: Counter(GameReceipt.objects.values_list("key", flat=True)))
    assert keys == {f"race {n}": 1 for n in range(8)}


async def test_an_expired_key_can_be_used_again(anonymous: Device) -> None:
    ann = await registered(anonymous)
    assert (await ann.call("POST", PATH, json=CHANGE, headers=KEY)).status_code == 204

    def delete_keys_a_month_later() -> None:
        idempotency.delete_expired(IdempotencyKey.objects.get().at + idempotency.KEPT_FOR + timedelta(seconds=1))

    await in_a_thread(delete_keys_a_month_later)
    assert not await in_a_thread(GameReceipt.objects.exists)
    await game_of(ann, headers=KEY)


async def test_keys_are_exported_once_and_deleted_with_their_player(anonymous: Device) -> None:
    ann, bob = await registered(anonymous), await anonymous.create_guest(name="Bob")
    assert (await ann.call("POST", PATH, json=CHANGE, headers=KEY)).status_code == 204
    await game_of(ann, headers={"Idempotency-Key": "game key"})
    await game_of(bob, headers=KEY)
    export = await ann.get("/players/me/export")
    assert [kept["key"] for kept in export["keys"]] == ["k1"]
    assert [kept["key"] for kept in export["game_keys"]] == ["game key"]
    await ann.delete("/players/me")
    assert await in_a_thread(lambda: [str(one.player) for one in GameReceipt.objects.all()]) == [bob.player["id"]]
