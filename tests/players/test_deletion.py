"""Deletion removes personal data from every table and process, and leaves games and other players unchanged."""

import asyncio
import base64
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import redis
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from games import runtime
from players.accounts import erasure, guests
from players.accounts.models import Erasure, Player
from players.sessions import tokens
from players.sessions.models import Session
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import Device, Json, checked, is_problem, is_refused_on_second_within_a_second
from tests.players.test_accounts import PASSWORD, registered, sign_in


def everything_stored() -> str:
    """Every row of every table, as the database prints it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        rows = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT row::text FROM "{table}" AS row')  # noqa: S608  (a name from pg_class)
            rows += [f"{table} {row}" for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def everything_in_redis() -> str:
    """Every value in Redis; queued tasks are in its lists."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        readers: dict[bytes, Callable[[bytes], object]] = {
            b"string": client.get,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"hash": client.hgetall,
            b"set": client.smembers,
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"stream": client.xrange,
        }
        values = [f"{key!r} {readers[client.type(key)](key)!r}" for key in client.scan_iter()]
    encoded = re.findall(r'"body": "([^"]+)"', "\n".join(values))
    return "\n".join([*values, *(base64.b64decode(body).decode() for body in encoded)])


async def game_of(*devices: Device, **settings: Any) -> Json:
    """A game with these devices' players; it starts when all of its seats are taken."""
    game = checked(await devices[0].call("POST", "/games", json={"ruleset": "qwixx", **settings}), 201)
    for device in devices[1:]:
        game = checked(await device.call("POST", f"/games/{game['id']}/join", json={"code": game["code"]}), 200)
    return dict(game)


async def test_no_personal_data_is_left_of_a_deleted_player(anonymous: Device) -> None:
    bob = await anonymous.create_guest(name="Bob")
    ann = await registered(anonymous, name="Zanzibar Ann", email="zanzibar@example.org", device="zanzibar phone")
    checked(await ann.call("PATCH", "/players/me", json={"locale": "uk"}), 200)
    await sign_in(anonymous, "a wrong one", "zanzibar@example.org")
    game = await game_of(ann, bob)

    def add_admin_history() -> None:
        staff, deleted = Player.objects.get(pk=bob.player["id"]), Player.objects.get(pk=ann.player["id"])
        kind = ContentType.objects.get_for_model(Player)
        named: dict[str, Any] = {"object_repr": str(deleted), "change_message": "renamed to Zanzibar"}
        LogEntry.objects.create(user=staff, content_type=kind, object_id=str(deleted.pk), action_flag=CHANGE, **named)

    await in_a_thread(add_admin_history)
    digest = tokens.digest(ann.token)
    assert digest
    before = (await in_a_thread(everything_stored)).lower()
    assert "zanzibar" in before
    assert digest.hex() in before

    response = await ann.call("DELETE", "/players/me")
    assert (response.status_code, response.content) == (204, b"")
    left = (await in_a_thread(everything_stored)).lower()
    assert [row for row in left.splitlines() if "zanzibar" in row or digest.hex() in row or "argon2" in row] == []
    in_redis = await in_a_thread(everything_in_redis)
    assert not re.search("zanzibar", in_redis, re.IGNORECASE)
    row = await in_a_thread(Player.objects.get, pk=ann.player["id"])
    assert (row.name, row.email, row.locale, row.is_active, row.last_login) == ("Player", None, "", False, None)
    assert not row.has_usable_password()
    assert not await in_a_thread(Session.objects.filter(player=row).exists)
    assert not await in_a_thread(Erasure.objects.exists)

    is_problem(await ann.call("GET", "/players/me"), 401, "not_authenticated")
    await is_refused_on_second_within_a_second(ann)
    is_problem(await sign_in(anonymous, PASSWORD, "zanzibar@example.org"), 401, "invalid_credentials")
    is_problem(await bob.call("GET", f"/players/{ann.player['id']}"), 404, "not_found")
    is_problem(await bob.call("GET", f"/players/{ann.player['id']}/games"), 404, "not_found")
    for on_second in (False, True):
        view = await bob.get(f"/games/{game['id']}", on_second=on_second)
        deleted_player = {"id": ann.player["id"], "name": "Player", "is_guest": False, "is_bot": False}
        assert view["seats"][0]["player"] == deleted_player
        listed = (await bob.get("/games?mine=true", on_second=on_second))["results"]
        assert listed[0]["seats"][0]["player"] == deleted_player
    await registered(anonymous, email="zanzibar@example.org")


async def test_a_deleted_player_leaves_all_games_and_every_hash_chain_is_valid(anonymous: Device) -> None:
    ann, bob, carl = [await anonymous.create_guest(name=name) for name in ("Ann", "Bob", "Carl")]
    played = await game_of(ann, bob)
    of_three = await game_of(bob, ann, carl, seats=3)
    hosted = await game_of(ann, bob, seats=3, visibility="private")
    alone = await game_of(ann)
    over = await game_of(ann, bob)
    checked(await bob.call("POST", f"/games/{over['id']}/leave"), 200)

    await ann.delete("/players/me")
    views = {game["id"]: await bob.get(f"/games/{game['id']}") for game in (played, of_three, hosted, over)}
    view = views[played["id"]]
    assert (view["status"], view["result"]["reason"]) == ("finished", "last_seat_standing")
    assert view["seats"][0]["state"] == "resigned"
    view = views[of_three["id"]]
    assert (view["status"], view["seats"][1]["state"]) == ("playing", "resigned")
    view = views[hosted["id"]]
    assert (view["status"], view["host"], [seat["seat"] for seat in view["seats"]]) == ("open", 1, [1])
    assert (await bob.get(f"/games/{alone['id']}"))["status"] == "aborted"
    assert views[over["id"]]["result"]["ranking"][0]["seat"] == 0
    await in_a_thread(call_command, "verify_log")


async def test_a_player_who_is_deleted_while_joining_games_sits_in_none(anonymous: Device) -> None:
    bob, ann = await anonymous.create_guest(name="Bob"), await anonymous.create_guest(name="Ann")
    games = [await game_of(bob, seats=3) for _ in range(24)]
    joins = [
        ann.call("POST", f"/games/{game['id']}/join", on_second=bool(n % 2), json={}) for n, game in enumerate(games)
    ]
    deletion = asyncio.create_task(ann.call("DELETE", "/players/me"))
    statuses = {response.status_code for response in await asyncio.gather(*joins)}
    assert (await deletion).status_code == 204
    assert statuses <= {200, 401}
    for game in games:
        assert [seat["seat"] for seat in (await bob.get(f"/games/{game['id']}"))["seats"]] == [0]


async def test_requests_during_a_deletion_store_no_personal_data(anonymous: Device) -> None:
    for n in range(3):
        email = f"zanzibar{n}@example.org"
        ann = await registered(anonymous, name="Zanzibar", email=email, device="")
        body = {"email": email, "password": PASSWORD, "device": "zanzibar tablet"}
        calls = [anonymous.call("POST", "/sessions", json=body, on_second=on_second) for on_second in (False, True)]
        calls += [ann.call("PATCH", "/players/me", json={"name": "zanzibar again"}, on_second=True) for _ in range(8)]
        calls.insert(6, ann.call("DELETE", "/players/me"))
        responses = await asyncio.gather(*calls)
        assert responses[6].status_code == 204
        assert {response.status_code for response in responses} <= {200, 201, 204, 401}
        assert "zanzibar" not in (await in_a_thread(everything_stored)).lower()


def test_a_second_deletion_of_a_player_does_nothing(ann: Any, conninfo: str) -> None:
    erasure.erase(ann.player.id, NOW)
    erasure.erase(ann.player.id, NOW + timedelta(days=1))
    assert Player.objects.get(pk=ann.player.id).erased_at == NOW


def test_erasers_of_other_packages_run_in_the_transaction_of_the_deletion(ann: Any, replace_extensions: Any) -> None:
    seen: list[tuple[UUID, bool]] = []

    def eraser(player: UUID) -> None:
        seen.append((player, connection.in_atomic_block))

    replace_extensions(erasers=(eraser,))
    erasure.erase(ann.player.id, NOW)
    assert seen == [(ann.player.id, True)]


def test_an_interrupted_deletion_is_finished_by_the_next_sweep(ann: Any, replace_extensions: Any) -> None:
    left: list[UUID] = []

    def fails(player: UUID, now: Any) -> None:
        raise RuntimeError("the database is away")

    replace_extensions(leave_games=fails)
    erasure.erase(ann.player.id, NOW)
    assert Player.objects.get(pk=ann.player.id).name == "Player"
    assert Erasure.objects.count() == 1
    replace_extensions(leave_games=lambda player, _now: left.append(player))
    erasure.finish(NOW + timedelta(hours=1))
    erasure.finish(NOW + timedelta(hours=2))
    assert left == [ann.player.id]
    assert not Erasure.objects.exists()


def create_player(name: str, *, days_ago: int, seen_days_ago: int | None = None, email: str | None = None) -> Player:
    new_session = guests.create_guest(NOW, name)
    seen = NOW - timedelta(days=days_ago if seen_days_ago is None else seen_days_ago)
    Player.objects.filter(pk=new_session.player.id).update(created_at=NOW - timedelta(days=days_ago), email=email)
    Session.objects.filter(pk=new_session.session).update(last_seen_at=seen)
    return Player.objects.get(pk=new_session.player.id)


def test_only_guests_unused_for_90_days_are_deleted(
    conninfo: str, monkeypatch: pytest.MonkeyPatch, replace_extensions: Any
) -> None:
    monkeypatch.setattr(erasure, "BATCH", 2)
    gone = [create_player(f"gone {n}", days_ago=100, seen_days_ago=91) for n in range(5)]
    kept = [
        create_player("new", days_ago=1),
        create_player("used", days_ago=400, seen_days_ago=89),
        create_player("account", days_ago=400, email="ann@example.org"),
        create_player("playing", days_ago=400),
    ]
    replace_extensions(players_in_games=lambda players: {kept[-1].pk} & set(players))
    assert erasure.delete_unused_guests(NOW) == 5
    assert erasure.delete_unused_guests(NOW) == 0
    assert set(Player.objects.filter(erased_at=None).values_list("name", flat=True)) == {one.name for one in kept}
    assert {Player.objects.get(pk=one.pk).name for one in gone} == {"Player"}


async def test_an_unused_guest_in_an_unfinished_game_is_not_deleted(anonymous: Device) -> None:
    seated, free, other = [await anonymous.create_guest(name=name) for name in ("Seated", "Free", "Other")]
    await game_of(seated)
    over = await game_of(free, other)
    checked(await free.call("POST", f"/games/{over['id']}/leave"), 200)

    def delete_after_a_hundred_days() -> int:
        try:
            return erasure.delete_unused_guests(Player.objects.latest("created_at").created_at + timedelta(days=100))
        finally:
            runtime.end()

    assert await in_a_thread(delete_after_a_hundred_days) == 2
    await seated.get("/players/me")
    is_problem(await free.call("GET", "/players/me"), 401, "not_authenticated")


async def test_the_data_export_holds_all_stored_data_and_no_secrets(anonymous: Device) -> None:
    ann = await registered(anonymous)
    bob = await anonymous.create_guest(name="Bob")
    game = await game_of(ann, bob, visibility="private")
    checked(await ann.call("POST", f"/games/{game['id']}/leave", headers={"Idempotency-Key": "k1"}), 200)
    response = await ann.call("GET", "/players/me/export")
    exported = checked(response, 200)
    assert "attachment" in response.headers["content-disposition"]
    assert response.headers["cache-control"] == "no-store"
    assert exported["player"]["email"] == "ann@example.org"
    assert (exported["player"]["id"], exported["player"]["name"]) == (ann.player["id"], "Ann")
    assert [one["device"] for one in exported["sessions"]] == ["phone"]
    (played,) = exported["games"]
    assert (played["id"], played["status"], len(played["seats"])) == (game["id"], "finished", 2)
    assert [key["key"] for key in exported["game_keys"]] == ["k1"]
    digest = tokens.digest(ann.token)
    assert digest
    for secret in (ann.token, digest.hex(), "argon2", "Bob"):
        assert secret not in response.text


async def test_the_list_of_a_players_games_holds_only_games_visible_to_the_caller(anonymous: Device) -> None:
    ann, bob, carl = [await anonymous.create_guest(name=name) for name in ("Ann", "Bob", "Carl")]
    public = [await game_of(ann, bob), await game_of(ann, ruleset="qwinto"), await game_of(ann)]
    shared = await game_of(ann, bob, visibility="private")
    alone = await game_of(ann, visibility="private")
    await game_of(bob)
    path = f"/players/{ann.player['id']}/games"

    async def listed(device: Device, query: str = "") -> list[str]:
        return [game["id"] for game in (await device.get(path + query))["results"]]

    newest = [game["id"] for game in (*public, shared, alone)][::-1]
    assert await listed(ann) == newest
    assert await listed(bob) == [game for game in newest if game != alone["id"]]
    assert await listed(carl) == [game["id"] for game in public[::-1]]
    assert await listed(carl, "?ruleset=qwinto") == [public[1]["id"]]
    assert await listed(carl, "?status=open&ruleset=qwixx") == [public[2]["id"]]
    first = await carl.get(path + "?limit=2")
    assert first["previous"] is None
    rest = checked(await carl.http.get(first["next"], headers={"Authorization": f"Bearer {carl.token}"}), 200)
    assert [game["id"] for game in (*first["results"], *rest["results"])] == [game["id"] for game in public[::-1]]
    assert rest["next"] is None
    is_problem(await carl.call("GET", path + "?status=lost"), 400, "malformed")
    is_problem(await carl.call("GET", f"/players/{public[0]['id']}/games"), 404, "not_found")
