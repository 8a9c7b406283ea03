"""Permissions of each role, staff actions and their audit log, bans, reports, language and policy of the pages."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

import httpx
import pytest
from django.db import DatabaseError, connection, transaction

from games.log.models import StoredEvent
from players.models import Player as Row
from players.models import Report, StaffAction
from tests.admin.conftest import LogIn, NewPlayer
from tests.api.client import Json, Player, table
from tests.players.conftest import in_a_thread
from tests.streams.client import Socket

Result = TypeVar("Result")

# The staff actions that each role may perform.
PERMITTED = {
    "viewer": {"verify"},
    "moderator": {
        "verify",
        "pause",
        "resume",
        "abort",
        "ban",
        "lift_ban",
        "log_out",
        "note",
        "rename",
        "take",
        "resolve",
    },
    "administrator": {
        *("verify", "pause", "resume", "abort", "void"),
        *("ban", "lift_ban", "log_out", "note", "rename", "take", "resolve", "erase", "give_role"),
    },
}
PERMITTED["superuser"] = PERMITTED["administrator"]
LISTS = ("games/game/", "players/player/", "players/report/", "players/staffaction/")
STATISTICS = ("games/game/statistics/", "games/game/statistics/ends.csv")
PAGES = ("", *LISTS, *STATISTICS)


async def rows(query: Callable[[], Result]) -> Result:
    return await in_a_thread(query)


def actions() -> list[tuple[str, str]]:
    return list(StaffAction.objects.order_by("pk").values_list("what", "reason"))


def types(game: Json) -> list[str]:
    return list(StoredEvent.objects.filter(game=game["id"]).order_by("version").values_list("type", flat=True))


@pytest.mark.parametrize("role", PERMITTED)
async def test_role_opens_every_page_and_performs_only_permitted_actions(
    log_in: LogIn, role: str, ann: Player, bob: Player
) -> None:
    game = await table([ann, bob])
    report = await ann.post(f"/players/{bob.player['id']}/reports", {"reason": "abuse", "text": "Swears."}, 201)
    staff = await in_a_thread(log_in, role)
    places = {
        f"games/game/{game['id']}": ("verify", "pause", "resume", "abort", "void"),
        f"players/player/{bob.player['id']}": ("ban", "lift_ban", "log_out", "erase", "give_role"),
        f"players/report/{report['id']}": ("resolve",),
    }
    for page in (*PAGES, *(f"{place}/change/" for place in places)):
        await in_a_thread(staff.page, page)
    for place, place_actions in places.items():
        for action in place_actions:
            answer = await asyncio.to_thread(staff.perform, place, action)  # refused: the reason is missing
            assert answer.status_code == (200 if action in PERMITTED[role] else 403), action
    assert await rows(actions) == []
    for page in ("games/game/add/", f"games/game/{game['id']}/delete/", f"players/player/{bob.player['id']}/delete/"):
        await in_a_thread(staff.page, page, 403)


async def test_staff_without_a_role_see_no_page(log_in: LogIn, ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "nothing")
    for page in (*PAGES[1:], f"games/game/{game['id']}/change/"):
        await in_a_thread(staff.page, page, 403)
    assert "Ask an administrator" in await in_a_thread(staff.page, "")


async def test_unknown_row_is_not_found(log_in: LogIn) -> None:
    staff = await in_a_thread(log_in, "viewer")
    for place in ("games/game", "players/player", "players/report", "players/staffaction"):
        await in_a_thread(staff.page, f"{place}/{UUID(int=7)}/change/", 404)


async def test_each_action_on_a_game_appends_one_event_and_one_audit_entry(
    log_in: LogIn, ann: Player, bob: Player
) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "administrator")
    place, before = f"games/game/{game['id']}", len(await rows(lambda: types(game)))
    for action in ("pause", "pause", "resume", "abort", "void", "void"):
        await asyncio.to_thread(staff.perform, place, action, reason=f"{action}, for a test")
    appended = (await rows(lambda: types(game)))[before:]
    assert [name for name in appended if name != "phase_closed"] == [
        "clock_paused",
        "clock_resumed",
        "game_aborted",
        "game_voided",
    ]
    assert await rows(actions) == [(name, f"{name}, for a test") for name in ("pause", "resume", "abort", "void")]
    assert (await ann.view(game))["status"] == "voided"
    assert "The game is valid" in (await asyncio.to_thread(staff.perform, place, "verify")).text


async def test_audit_log_cannot_be_changed(log_in: LogIn, ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "moderator")
    await asyncio.to_thread(staff.perform, f"games/game/{game['id']}", "pause", reason="A test.")

    def change(statement: str) -> None:
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)

    await in_a_thread(change, "UPDATE players_staffaction SET reason = ''")
    await in_a_thread(change, "DELETE FROM players_staffaction")
    await in_a_thread(change, "TRUNCATE players_staffaction")


async def test_ban_refuses_requests_and_closes_streams_at_once(
    log_in: LogIn, server: str, ann: Player, bob: Player
) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "moderator")
    place = f"players/player/{bob.player['id']}"
    async with (
        await Socket.open(server, f"/ws/v1/games/{game['id']}", bob.token) as watching,
        await Socket.open(server, "/ws/v1/me", bob.token) as listening,
    ):
        await watching.until_settled()
        await listening.until_settled()
        await asyncio.to_thread(staff.perform, place, "ban", reason="A test.", days="7")
        async with asyncio.timeout(20):
            await watching.line.wait_closed()
            await listening.line.wait_closed()
        assert (watching.line.close_code, listening.line.close_code) == (4403, 4403)
    for answer in (
        await bob.http.get("/players/me"),
        await bob.http.get(f"/games/{game['id']}", headers={"Accept-Language": "de"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "banned")
        assert "until" in answer.json()
    assert "gesperrt" in answer.json()["detail"]
    assert answer.json()["until"][:10] in answer.json()["detail"]
    async with await Socket.open(server, "/ws/v1/me", bob.token) as refused:
        await refused.until_settled()
        assert refused.close_code == 4403
    await asyncio.to_thread(staff.perform, place, "lift_ban", reason="A test.")
    until = time.monotonic() + 20
    while (await bob.http.get("/players/me")).status_code != 200:
        assert time.monotonic() < until
    assert [what for what, _ in await rows(actions)] == ["ban", "lift_ban"]


async def test_banned_player_cannot_log_in(log_in: LogIn, server: str, new_player: NewPlayer) -> None:
    account = {"name": "Zoe", "email": "zoe@example.org", "password": "correct horse battery"}
    guest = await new_player("Zoe")
    await guest.post("/players", account, 201)
    assert await rows(lambda: Row.objects.get(pk=guest.player["id"]).became_account_at) is not None
    staff = await in_a_thread(log_in, "moderator")
    await asyncio.to_thread(staff.perform, f"players/player/{guest.player['id']}", "ban", reason="A test.", days="")
    async with httpx.AsyncClient(base_url=f"{server}/api/v1") as http:
        answer = await http.post("/sessions", json={k: account[k] for k in ("email", "password")})
    assert (answer.status_code, answer.json()["code"]) == (403, "banned")
    assert "until" not in answer.json()


async def test_staff_log_devices_out_give_roles_and_erase_players(
    log_in: LogIn, ann: Player, new_player: NewPlayer
) -> None:
    staff = await in_a_thread(log_in, "administrator")
    other = await in_a_thread(log_in, "viewer")
    place, session = f"players/player/{ann.player['id']}", (await ann.get("/sessions"))["results"][0]["id"]
    await asyncio.to_thread(staff.perform, place, "log_out", reason="Lost.", session=session)
    await ann.get("/players/me", 401)
    await asyncio.to_thread(staff.perform, place, "erase", reason="Asked for it.")
    assert await rows(lambda: Row.objects.get(pk=ann.player["id"]).erased_at) is not None
    role = f"players/player/{other.player.pk}"
    await asyncio.to_thread(staff.perform, role, "ban", reason="Staff.", days="1")
    await asyncio.to_thread(staff.perform, role, "give_role", reason="Well done.", role="moderator")
    assert [what for what, _ in await rows(actions)] == ["log_out", "erase", "give_role"]
    held = await rows(lambda: [group.name for group in Row.objects.get(pk=other.player.pk).groups.all()])
    assert held == ["moderator"]
    own = f"players/player/{staff.player.pk}"
    await asyncio.to_thread(staff.perform, own, "give_role", reason="Me.", role="")
    assert len(await rows(actions)) == 3


async def test_report_stays_in_the_queue_until_staff_resolve_it(log_in: LogIn, ann: Player, bob: Player) -> None:
    path, body = f"/players/{bob.player['id']}/reports", {"reason": "name", "text": "A rude name."}
    report = await ann.post(path, body, 201, headers={"Idempotency-Key": "once"})
    assert await ann.post(path, body, 201, headers={"Idempotency-Key": "once"}) == report
    for wrong in ({}, {"reason": "boredom"}, {"reason": "name", "game": 7}, {"reason": "name", "text": "x" * 501}):
        assert (await ann.post(path, wrong, 400))["code"] == "malformed"
    await ann.post(f"/players/{ann.player['id']}/reports", body, 403)
    await ann.post(f"/players/{UUID(int=7)}/reports", body, 404)
    staff = await in_a_thread(log_in, "moderator")
    assert "A rude name." in await in_a_thread(staff.page, "players/report/")
    await asyncio.to_thread(
        staff.perform, f"players/report/{report['id']}", "resolve", reason="Renamed.", outcome="upheld"
    )
    assert "A rude name." not in await in_a_thread(staff.page, "players/report/")
    found = await rows(lambda: Report.objects.get())
    assert (found.resolution, found.resolved_by) == ("Renamed.", staff.player.pk)
    assert await rows(actions) == [("resolve_report", "Renamed.")]


async def test_pages_follow_the_browser_language_and_load_nothing_from_other_hosts(log_in: LogIn) -> None:
    staff = await in_a_thread(log_in, "superuser")
    answers: dict[str, Any] = {
        language: await asyncio.to_thread(staff.http.get, "/admin/", headers={"Accept-Language": language})
        for language in ("en", "de", "ru", "uk", "pl")
    }
    for language, answer in answers.items():
        assert f'<html lang="{language}"' in answer.text
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy
    assert len({answer.text.split("<title>")[1].split("</title>")[0] for answer in answers.values()}) > 1
