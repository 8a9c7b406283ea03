"""Every operation and every stream returns to every role what the table in `permissions` says."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import httpx
import pytest
from django.contrib.auth.hashers import make_password

from players.accounts import erasure, guests
from players.models import Player
from players.sessions import lifecycle
from qwixx_service.documents import views
from tests.api.permissions import ROLES, rows
from tests.players.conftest import NOW, in_a_thread
from tests.streams.client import Socket

DOCUMENT: dict[str, Any] = json.loads(views.openapi(views.LOCAL_URL))
OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
ROUTING = Path(__file__).resolve().parents[2] / "games" / "streams" / "routing.py"
REST = [row for row in rows() if not row[0].startswith("/")]
STREAMS = [row for row in rows() if row[0].startswith("/")]
GUESTS = ("guest", "spectator")
PASSWORD = "correct horse battery"
WEBHOOK = {"url": "https://hook.example.org/"}
QUEUE = {"ruleset": "qwixx", "sheet": "classic", "seats": 2}
SETTINGS = {
    "open": {"ruleset": "qwinto", "seats": 6},
    "hidden": {"ruleset": "qwinto", "seats": 6, "visibility": "private"},
    "playing": {"ruleset": "qwixx"},
    "over": {"ruleset": "qwixx"},
    "private": {"ruleset": "qwixx", "visibility": "private"},
}


class RoleCaller(NamedTuple):
    role: str
    player: UUID
    session: UUID
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def cast(stored_password: str) -> dict[str, RoleCaller]:
    """One caller per role; the revoked token belongs to the creator, who has the most permissions."""
    made: dict[str, RoleCaller] = {"anonymous": RoleCaller("anonymous", UUID(int=0), UUID(int=0), "")}
    for role in ("deleted", "guest", "other", "spectator", "staff", "seated", "creator"):
        if role in GUESTS:
            opened = guests.create_guest(NOW, role)
        else:
            email = f"{role}@example.org"
            player = Player(name=role, email=email, password=stored_password, is_staff=role == "staff")
            player.save()
            opened = lifecycle.open_session(player, "", NOW)
        made[role] = RoleCaller(role, opened.player.id, opened.session, opened.token)
    lost = lifecycle.open_session(Player.objects.get(pk=made["creator"].player), "lost", NOW)
    lifecycle.revoke(made["creator"].player, lost.session, NOW)
    made["revoked"] = RoleCaller("revoked", made["creator"].player, lost.session, lost.token)
    erasure.erase(made["deleted"].player, NOW)
    return {role: made[role] for role in ROLES}


@pytest.fixture(scope="module")
def stored_password() -> str:
    return make_password(PASSWORD)


@pytest.fixture
async def callers(transactional_db: None, stored_password: str) -> dict[str, RoleCaller]:
    return await in_a_thread(cast, stored_password)


@pytest.fixture
async def http(server: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server, timeout=60) as client:
        await client.get("/healthz")  # the first test waits for the server here, and not with a socket
        yield client


async def game_for(kind: str, http: httpx.AsyncClient, callers: dict[str, RoleCaller]) -> dict[str, Any]:
    creator, seated = callers["creator"].headers, callers["seated"].headers
    if kind == "-":
        return {"id": "", "code": ""}
    if kind == "queue":
        queued = await http.post("/api/v1/matchmaking", json=QUEUE, headers=creator)
        return {"id": "", "code": "", "ticket": queued.json()["ticket"]}
    if kind == "webhook":
        made = await http.post("/api/v1/webhooks", json=WEBHOOK, headers=creator)
        return {"id": "", "code": "", "webhook": made.json()["id"]}
    game: dict[str, Any] = (await http.post("/api/v1/games", json=SETTINGS[kind], headers=creator)).json()
    path = f"/api/v1/games/{game['id']}"
    joined = await http.post(path + "/join", json={"code": game["code"]}, headers=seated)
    assert joined.status_code == 200, joined.text
    if kind == "hidden":
        invited = await http.post(path + "/invitations", json={"player": str(callers["other"].player)}, headers=creator)
        game |= {"invitation": invited.json()["id"], "stranger": str(callers["guest"].player)}
    if kind == "over":
        assert (await http.post(path + "/leave", headers=seated)).json()["status"] == "finished"
    return game


def body_of(operation: str, caller: RoleCaller, game: dict[str, Any]) -> dict[str, Any] | None:
    """A valid body, so that only the role decides about the response."""
    bodies: dict[str, dict[str, Any]] = {
        "playAction": {"type": "return"},
        "previewAction": {"type": "pass"},
        "createBot": {"name": "Robot"},
        "createAccessToken": {"name": "Scores", "scopes": ["read"]},
        "changeMe": {"name": "Zoe"},
        "changePassword": {"old": PASSWORD, "new": "staple in a haystack"},
        "confirmAddress": {"token": "rubbish"},
        "changeWebhook": {"enabled": False},
        "createGame": {"ruleset": "qwixx"},
        "createWebhook": WEBHOOK,
        "enterQueue": QUEUE,
        "requestPasswordReset": {"email": "nobody@example.org"},
        "giveSeed": {"client_seed": "abc"},
        "invitePlayer": {"player": game.get("stranger")},
        "joinGameByCode": {"code": game["code"]},
        "createAccount": {"name": "Zoe", "email": f"new-{caller.role}@example.org", "password": PASSWORD},
        "resetPassword": {"token": "rubbish", "new": PASSWORD},
        "reportPlayer": {"reason": "abuse"},
        "rotateWebhookSecret": {},
        "sayPhrase": {"key": "well_played"},
        "seatBot": {"level": "easy"},
        "createSession": {"email": "other@example.org", "password": PASSWORD},
    }
    return bodies.get(operation)


async def status_of(http: httpx.AsyncClient, operation: str, caller: RoleCaller, game: Any, creator: RoleCaller) -> str:
    method, path = OPERATIONS[operation]
    places = {"game_id": game["id"], "seat": 1, "player_id": creator.player, "session_id": creator.session}
    places |= {"ticket_id": game.get("ticket"), "invitation_id": game.get("invitation")}
    places |= {"webhook_id": game.get("webhook"), "delivery_id": creator.session}
    places |= {"token_id": creator.session}
    places |= {"ruleset": "qwixx", "metric": "wins"}
    body = body_of(operation, caller, game)
    options: dict[str, Any] = {} if body is None else {"json": body}
    # A stream's status is all that is waited for.
    async with http.stream(method, path.format(**places), headers=caller.headers, **options) as answer:
        if answer.status_code >= 400:
            problem = json.loads(await answer.aread())
            assert problem["status"] == answer.status_code
            assert answer.status_code != 401 or problem["code"] == "not_authenticated"
        assert answer.status_code != 201 or answer.headers["location"].startswith("/api/v1/")
        return str(answer.status_code)


@pytest.mark.parametrize(("operation", "kind", "expected"), REST, ids=[" ".join(row[:2]) for row in REST])
async def test_an_operation_returns_to_each_role_the_status_of_the_table(
    http: httpx.AsyncClient,
    server: str,
    callers: dict[str, RoleCaller],
    operation: str,
    kind: str,
    expected: tuple[str, ...],
) -> None:
    game, answered = await game_for(kind, http, callers), {}
    async with await Socket.open(server, f"/ws/v1/games/{game['id']}", callers["spectator"].token) as watching:
        await watching.until_settled()
        for role, caller in callers.items():
            answered[role] = await status_of(http, operation, caller, game, callers["creator"])
    assert answered == dict(zip(ROLES, expected, strict=True))


@pytest.mark.parametrize(("path", "kind", "expected"), STREAMS, ids=[" ".join(row[:2]) for row in STREAMS])
async def test_a_stream_opens_or_closes_for_each_role_as_in_the_table(
    http: httpx.AsyncClient,
    server: str,
    callers: dict[str, RoleCaller],
    path: str,
    kind: str,
    expected: tuple[str, ...],
) -> None:
    game = await game_for(kind, http, callers)
    address = f"{path}/{game['id']}" if game["id"] else path
    answered = {}
    for role, caller in callers.items():
        async with await Socket.open(server, address, caller.token or None) as socket:
            answered[role] = await greeting(socket)
    assert answered == dict(zip(ROLES, expected, strict=True))


async def greeting(socket: Socket) -> str:
    """`ok` after a hello frame, else the close code."""
    await socket.until_settled()
    return "ok" if socket.frames and socket.frames[0]["type"] == "hello" else str(socket.close_code)


def test_the_table_has_every_operation_of_the_openapi_document() -> None:
    assert {operation for operation, _, _ in REST} == set(OPERATIONS)


def test_the_table_has_every_stream() -> None:
    routed = {
        f"/{line.split(chr(34))[1].split('/<')[0]}" for line in ROUTING.read_text().splitlines() if " path(" in line
    }
    assert {path for path, _, _ in STREAMS} == routed


def test_every_operation_on_a_game_is_tried_with_a_private_game() -> None:
    """But for operations on ended games, which hide nothing that the others do not."""
    named = {operation for operation, (_, path) in OPERATIONS.items() if "{game_id}" in path}
    hidden = {operation for operation, kind, _ in REST if kind in ("private", "hidden")}
    assert named - hidden == {"requestRematch"}


def test_operations_that_require_a_token_refuse_all_callers_without_a_valid_one() -> None:
    for operation, _, cells in REST:
        method, path = OPERATIONS[operation]
        is_open = {} in DOCUMENT["paths"][path][method.lower()].get("security", [{}])
        assert is_open or set(cells[:3]) == {"401"}, operation
