"""Every operation and every stream checks the scope of a personal access token, as the one table says."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from players.models import Player
from players.sessions import lifecycle, tokens
from players.sessions.models import Session
from players.sessions.scopes import GRANTED, NEEDED, SESSION
from qwixx_service.documents import views
from tests.players.conftest import NOW, in_a_thread
from tests.streams.client import Socket

DOCUMENT: dict[str, Any] = json.loads(views.openapi(views.LOCAL_URL))
OPERATIONS = {
    f"{method.upper()} {path.removeprefix('/api/v1')}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
WITH_TOKEN = sorted(
    operation for operation, described in OPERATIONS.items() if any(described.get("security", [{"token": []}]))
)
STREAMS = sorted(operation for operation in NEEDED if operation.startswith("WS "))
NO_ID = "01926f3a-0000-7000-8000-000000000000"
PLACES = {"ruleset": "qwixx", "metric": "wins", "seat": "1"}


class Holder:
    """An account with personal access tokens, each new."""

    def __init__(self) -> None:
        self.account = Player.objects.create(name="Ann", email="ann@example.org")

    async def new(self, *scopes: str) -> str:
        row = Session(player=self.account, token_hash=tokens.digest(token := tokens.new()), scopes=list(scopes))
        await in_a_thread(row.save)
        return token

    async def session(self) -> str:
        return (await in_a_thread(lifecycle.open_session, self.account, "", NOW)).token


@pytest.fixture
async def holder(transactional_db: None) -> Holder:
    return await in_a_thread(Holder)


@pytest.fixture
async def http(server: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server, timeout=60) as client:
        yield client


async def missing_scope(http: httpx.AsyncClient, operation: str, token: str) -> str | None:
    """The scope for which a request with this token is refused; None: it has passed the check."""
    method, path = operation.split()
    address = "/api/v1" + path.format_map(dict.fromkeys(named(path), NO_ID) | PLACES)
    headers = {"Authorization": f"Bearer {token}"}
    body: dict[str, Any] = {} if method == "GET" else {"json": {}}
    async with http.stream(method, address, headers=headers, **body) as response:
        assert response.status_code != 401
        problem = {} if response.status_code < 400 else json.loads(await response.aread())
    scope: str | None = problem.get("scope")
    if scope is not None:
        assert (response.status_code, problem["code"]) == (403, "not_allowed")
        assert scope == SESSION or f"`{scope}`" in problem["detail"]
    return scope


def named(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


@pytest.mark.parametrize("operation", WITH_TOKEN)
async def test_an_operation_is_refused_to_a_token_without_its_scope(
    http: httpx.AsyncClient, holder: Holder, operation: str
) -> None:
    needed = NEEDED[operation]
    for scope, granted in GRANTED.items():
        expected = None if needed in granted else needed
        assert await missing_scope(http, operation, await holder.new(scope)) == expected, scope
    assert await missing_scope(http, operation, await holder.session()) is None


@pytest.mark.parametrize("operation", WITH_TOKEN)
def test_the_openapi_document_names_the_scope_of_an_operation(operation: str) -> None:
    assert OPERATIONS[operation]["x-scope"] == NEEDED[operation]


@pytest.mark.parametrize("stream", STREAMS)
async def test_a_stream_is_closed_for_a_token_without_its_scope(server: str, holder: Holder, stream: str) -> None:
    path = stream.removeprefix("WS ").format(game_id=NO_ID)
    async with await Socket.open(server, path, await holder.new("account")) as socket:
        await socket.until_settled()
        assert (socket.close_code, socket.frames) == (4403, [])
    async with await Socket.open(server, path, await holder.new("read")) as socket:
        await socket.until_settled()
        assert socket.close_code in (None, 4404)  # it has passed the check


async def test_an_action_frame_needs_the_scope_to_play(server: str, http: httpx.AsyncClient, holder: Holder) -> None:
    headers = {"Authorization": f"Bearer {await holder.new('play')}"}
    body = {"ruleset": "qwixx", "bots": ["easy"]}
    game = (await http.post("/api/v1/games", json=body, headers=headers)).json()
    path = f"/ws/v1/games/{game['id']}"
    async with await Socket.open(server, path, await holder.new("read")) as socket:
        await socket.send(type="action", id="1", action={"type": "resign"})
        error = await socket.until(lambda frame: frame["type"] == "error")
        assert error["code"] == "not_allowed"
        assert "`play`" in error["detail"]
    async with await Socket.open(server, path, await holder.new("play")) as socket:
        await socket.send(type="action", id="1", action={"type": "resign"})
        await socket.until(lambda frame: frame["type"] == "ack")


async def test_methods_that_there_are_not_are_405_for_tokens_too(http: httpx.AsyncClient, holder: Holder) -> None:
    headers = {"Authorization": f"Bearer {await holder.new('read')}"}
    assert (await http.delete("/api/v1/games", headers=headers)).status_code == 405
    assert (await http.options("/api/v1/games", headers=headers)).status_code == 200
