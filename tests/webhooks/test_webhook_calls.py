"""The API of webhooks: bounds, secrets, the log of deliveries, redelivery, export and deletion."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from games.rules.refused import Refused
from games.webhooks import endpoints
from games.webhooks.models import Delivery, Webhook
from players import models
from players.sessions import lifecycle
from players.sessions.lifecycle import NewSession
from tests.api.client import Json, Player
from tests.players.conftest import in_a_thread
from tests.timekeeping.celery_processes import beat, now, until, worker
from tests.webhooks.receiver import ServedReceiver


async def account(server: str, name: str) -> Player:
    """Stored directly: the registrations of other tests may have used up the rate limit."""

    def store() -> NewSession:
        return lifecycle.open_session(models.Player.objects.create(name=name, email=f"{name}@example.org"), "", now())

    new = await in_a_thread(store)
    headers = {"Authorization": f"Bearer {new.token}"}
    http = httpx.AsyncClient(base_url=server + "/api/v1", timeout=60, headers=headers)
    return Player(http, {"id": str(new.player.id)}, new.token)


@pytest.fixture
async def cat(server: str, transactional_db: None) -> AsyncIterator[Player]:
    async with await account(server, "Cat") as player:
        yield player


@pytest.fixture
async def dan(server: str, transactional_db: None) -> AsyncIterator[Player]:
    async with await account(server, "Dan") as player:
        yield player


async def add(player: Player, url: str, status: int = 201, **members: Any) -> Json:
    answer: Json = await player.post("/webhooks", {"url": url, **members}, status)
    return answer


async def test_the_secret_is_shown_once_and_again_only_after_a_rotation(cat: Player) -> None:
    made = await add(cat, "https://hook.example.org/")
    assert made["secret"].startswith("whsec_")
    assert made["events"] == ["game.started", "game.your_turn", "game.finished", "rating.changed"]
    shown = {key: value for key, value in made.items() if key != "secret"}
    assert await cat.get(f"/webhooks/{made['id']}") == shown
    assert await cat.get("/webhooks") == {"results": [shown]}
    rotated = await cat.post(f"/webhooks/{made['id']}/secret", {})
    assert rotated["secret"] != made["secret"]
    assert {**rotated, "secret": ""} == {**made, "secret": ""}


async def test_an_account_has_a_bounded_number_of_webhooks_with_different_urls(cat: Player, dan: Player) -> None:
    for number in range(5):
        await add(cat, f"https://hook.example.org/{number}")
    assert (await add(cat, "https://hook.example.org/1", 409))["code"] == "webhook_exists"
    assert (await add(cat, "https://hook.example.org/5", 409))["code"] == "too_many_webhooks"
    await add(dan, "https://hook.example.org/1")


async def test_two_registrations_at_once_do_not_exceed_the_bound(cat: Player) -> None:
    bodies = [{"url": f"https://hook.example.org/{number}"} for number in range(12)]
    answers = await asyncio.gather(*(cat.http.post("/webhooks", json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 7


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"url": "https://10.0.0.1/"}, "/url"),
        ({"url": "ftp://hook.example.org/"}, "/url"),
        ({"url": 7}, "/url"),
        ({}, "/url"),
        ({"url": "https://hook.example.org/", "events": ["game.created"]}, "/events"),
        ({"url": "https://hook.example.org/", "events": []}, "/events"),
    ],
)
async def test_an_invalid_webhook_is_refused_with_a_pointer(cat: Player, body: Json, pointer: str) -> None:
    answer = await cat.post("/webhooks", body, 400, headers={"Accept-Language": "de"})
    assert answer["code"] == "malformed"
    assert answer["errors"][0]["pointer"].startswith(pointer)


async def test_a_game_is_delivered_logged_and_sent_again_on_demand(
    cat: Player, dan: Player, served: ServedReceiver, tmp_path: Path
) -> None:
    made = await add(cat, served.url)
    log = f"/webhooks/{made['id']}/deliveries"
    with worker(WEBHOOKS_ALLOW_LOOPBACK="on"), beat(tmp_path):
        game = await cat.create(seats=2)
        await dan.join(game)
        await dan.post(f"/games/{game['id']}/leave")
        finished = await logged(cat, log, "game.finished")
        assert {received.id for received in served.receiver.received} >= {finished["id"]}
        again = await cat.post(f"{log}/{finished['id']}/redeliver", None, 202, headers={"Idempotency-Key": "k1"})
        assert again["status"] == "pending"
        repeated = await cat.http.post(f"{log}/{finished['id']}/redeliver", headers={"Idempotency-Key": "k1"})
        assert (repeated.json(), repeated.headers["Idempotent-Replayed"]) == (again, "true")
        await logged(cat, log, "game.finished", attempts=2)
    sent = [received for received in served.receiver.received if received.id == finished["id"]]
    assert len(sent) == 2
    assert finished["payload"] == sent[0].verified(made["secret"]) == sent[1].verified(made["secret"])
    assert finished["attempts"][0]["status"] == 204
    assert (await cat.get(log, params={"status": "failed"}))["results"] == []
    assert (await dan.http.get(log)).status_code == 404


async def logged(player: Player, log: str, type_: str, attempts: int = 1) -> Json:
    """The delivery of this type, when it is delivered after so many attempts."""
    found: list[Json] = []

    async def is_delivered() -> bool:
        rows = (await player.get(log, params={"status": "delivered"}))["results"]
        found[:] = [row for row in rows if row["type"] == type_ and len(row["attempts"]) >= attempts]
        return bool(found)

    await until(is_delivered)
    return found[0]


async def test_a_webhook_is_changed_disabled_and_enabled(cat: Player) -> None:
    made = await add(cat, "https://hook.example.org/")
    path = f"/webhooks/{made['id']}"
    changed: httpx.Response = await cat.http.patch(path, json={"enabled": False, "events": ["rating.changed"]})
    body = changed.json()
    assert (body["enabled"], body["disabled_because"], body["events"]) == (False, "owner", ["rating.changed"])
    enabled = (await cat.http.patch(path, json={"enabled": True})).json()
    assert (enabled["enabled"], enabled["disabled_because"]) == (True, None)
    other = await add(cat, "https://hook.example.org/other")
    taken = await cat.http.patch(f"/webhooks/{other['id']}", json={"url": "https://hook.example.org/"})
    assert taken.json()["code"] == "webhook_exists"


async def test_webhooks_are_exported_without_secrets_and_deleted_with_the_account(cat: Player) -> None:
    made = await add(cat, "https://hook.example.org/")
    exported = await cat.http.get("/players/me/export")
    assert [webhook["url"] for webhook in exported.json()["webhooks"]] == [made["url"]]
    assert made["secret"] not in exported.text
    assert (await cat.http.delete("/players/me")).status_code == 204
    assert await in_a_thread(lambda: (Webhook.objects.count(), Delivery.objects.count())) == (0, 0)


async def test_a_removed_webhook_is_gone(cat: Player) -> None:
    made = await add(cat, "https://hook.example.org/")
    assert (await cat.http.delete(f"/webhooks/{made['id']}")).status_code == 204
    assert (await cat.get(f"/webhooks/{made['id']}", 404))["code"] == "not_found"


async def test_a_registration_during_a_deletion_stores_nothing(cat: Player) -> None:
    """A request that has passed the check of its token finds the player deleted."""
    await cat.http.delete("/players/me")

    def register() -> None:
        endpoints.register(UUID(cat.player["id"]), "https://hook.example.org/", ["game.started"], now())

    with pytest.raises(Refused, match="not_authenticated"):
        await in_a_thread(register)
