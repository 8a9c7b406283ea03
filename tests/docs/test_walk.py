"""The functions that docs/walk.md names are those that a mark passes, in that order."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from asgiref.testing import ApplicationCommunicator

from games import runtime
from players.accounts import guests
from qwixx_service.asgi import application
from tests.players.conftest import NOW, in_a_thread

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\|[^|]*\|[^|]*\| `(games/[\w/]+\.py)` :: `([\w.]+)` \|", re.MULTILINE)
NAMED = re.compile(r"`(games/[\w/]+\.py)` :: `([\w.]+)`")
Call = tuple[str, str]  # file and qualified name
SOCKET_ENTRY = [
    ("games/streams/stream_consumer.py", "StreamConsumer._receive"),
    ("games/streams/game_consumer.py", "GameConsumer.act"),
]
PASS = {"type": "action", "id": "1", "action": {"type": "pass"}}


def documented() -> list[Call]:
    return [(file, name) for file, name in ROW.findall((ROOT / "docs/walk.md").read_text())]


@contextmanager
def first_calls(wanted: set[Call]) -> Iterator[list[Call]]:
    """The wanted functions in the order in which this thread first calls them."""
    found: list[Call] = []

    def record(frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(str(ROOT)):
            call = (path[len(str(ROOT)) + 1 :], frame.f_code.co_qualname)
            if call in wanted and call not in found:
                found.append(call)

    sys.setprofile(record)
    try:
        yield found
    finally:
        sys.setprofile(None)


async def subscribed(game: str, token: str) -> Any:
    """A WebSocket that has received the state of the game."""
    scope = {
        "type": "websocket",
        "path": f"/ws/v1/games/{game}",
        "query_string": b"",
        "headers": [(b"authorization", f"Bearer {token}".encode())],
        "subprotocols": [],
    }
    socket: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output())["type"] == "websocket.accept"
    assert [(await frame(socket))["type"] for _ in range(2)] == ["hello", "state"]
    return socket


async def frame(socket: Any) -> Any:
    return json.loads((await socket.receive_output(timeout=10))["text"])


@pytest.mark.django_db(transaction=True)
async def test_actions_over_http_and_sockets_pass_the_documented_functions_in_their_order() -> None:
    ann, ben = [await in_a_thread(guests.create_guest, NOW) for _ in range(2)]
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api/v1") as http:

        async def post(path: str, token: str, body: Any) -> Any:
            response = await http.post(path, json=body, headers={"Authorization": f"Bearer {token}"})
            assert response.is_success, response.text
            return response.json()

        await in_a_thread(runtime.end)  # an earlier test of this process may have started one in a thread
        try:
            await runtime.engine()
            game = (await post("/games", ann.token, {"ruleset": "qwixx", "visibility": "private", "clock": None}))["id"]
            code = (await http.get(f"/games/{game}", headers={"Authorization": f"Bearer {ann.token}"})).json()["code"]
            view = await post("/games/join", ben.token, {"code": code})
            active = [ann, ben][view["turn"]["active"]]
            other = ben if active is ann else ann
            rolled = await post(f"/games/{game}/actions", active.token, {"type": "roll"})
            mark = next(option for option in rolled["game"]["options"] if option["type"] == "mark")
            socket = await subscribed(game, other.token)
            with first_calls(set(documented())) as calls:
                await post(f"/games/{game}/actions", active.token, mark)
                update = await frame(socket)
            assert [event["type"] for event in update["events"]] == ["answer_sealed"]
            assert calls == documented()
            with first_calls({*SOCKET_ENTRY, *documented()}) as calls:
                await socket.send_input({"type": "websocket.receive", "text": json.dumps(PASS)})
                assert [(await frame(socket))["type"] for _ in range(2)] == ["update", "ack"]
            assert calls == [*SOCKET_ENTRY, *documented()[1:]]
            await socket.send_input({"type": "websocket.disconnect", "code": 1000})
            await socket.wait()
        finally:
            await runtime.close()


def test_every_function_that_the_walk_names_exists() -> None:
    found = [f"{file} :: {name}" for file, name in NAMED.findall((ROOT / "docs/walk.md").read_text())]
    assert [each for each in found if not is_defined(*each.split(" :: "))] == []


def is_defined(file: str, name: str) -> bool:
    """Whether the module, or a class of it, has a member of this name."""
    place: Any = import_module(file.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        place = getattr(place, part, None)
    return place is not None


def test_the_walk_enters_each_package_once() -> None:
    packages = [file.split("/")[1].removesuffix(".py") for file, _ in documented()]
    entered = [package for package, before in zip(packages, [None, *packages], strict=False) if package != before]
    assert entered == ["api", "commands", "engine", "game", "rules", "log", "live", "streams"]
