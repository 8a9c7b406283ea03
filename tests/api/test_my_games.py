"""The stream of the caller's finished games: complete, in order, filtered, resumed, bounded."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from games import runtime
from games.api.play import my_games
from games.engine.engine import Engine
from games.log.reads import played_games
from games.log.reads.game_filters import GameFilters
from games.log.reads.in_thread import read_in_thread
from players.database.ids import uuid_of
from players.limits.fair_queue import Client
from players.limits.rate_limits import LIMITS
from players.sessions import lifecycle
from players.sessions.authentication import authenticate
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer
from tests.players.conftest import in_a_thread

PATH = "/players/me/games/stream"
SETTLED_S = 20


async def over(players: list[Player], **settings: Any) -> str:
    game = await table(players, **settings)
    await players[-1].post(f"/games/{game['id']}/leave")
    return str(game["id"])


async def lines(player: Player, **query: Any) -> list[Json]:
    answer = await player.http.get(PATH, params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


async def settled(player: Player, count: int) -> list[Json]:
    """All lines, once that many games have ended long enough ago."""
    async with asyncio.timeout(SETTLED_S):
        while len(found := await lines(player)) <= count:  # noqa: ASYNC110  (time has to pass)
            await asyncio.sleep(2)  # the limit is ten calls a minute
    return found


def ids(found: list[Json]) -> list[str]:
    return [line["game"]["id"] for line in found[:-1]]


async def test_finished_games_are_streamed_in_the_order_of_their_ends_and_filtered(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    cat = await new_player("Cat")
    first = await over([ann, bob])
    other = await over([bob, cat])
    second = await over([ann, cat], ruleset="qwinto")
    third = await over([bob, ann], rated=True)
    await table([ann, bob])
    found = await settled(ann, 3)
    assert ids(found) == [first, second, third]
    assert other not in ids(found)
    assert found[-1] == {"complete": True, "cursor": found[-2]["cursor"]}
    summary = found[1]["game"]
    assert (summary["you"] is not None, summary["status"]) == (True, "finished")
    listed = (await ann.get("/games", params={"mine": "true", "status": "finished"}))["results"]
    assert summary in listed
    resumed = await lines(ann, after=found[0]["cursor"])
    assert resumed == found[1:]
    assert await lines(ann, after=found[-1]["cursor"]) == [{"complete": True, "cursor": found[-1]["cursor"]}]
    at = found[1]["game"]["ended_at"]
    for query, expected in [
        ({"ruleset": "qwinto"}, [second]),
        ({"rated": "true"}, [third]),
        ({"opponent": bob.player["id"]}, [first, third]),
        ({"since": at}, [second, third]),
        ({"until": at}, [first]),
    ]:
        assert ids(await lines(ann, **query)) == expected, query


async def test_a_stream_without_games_and_without_a_cursor_has_none(ann: Player) -> None:
    assert await lines(ann) == [{"complete": True, "cursor": None}]


async def test_a_call_ends_at_its_bound_and_names_the_cursor_to_go_on_with(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bounds are tried on the response itself, in the process of the test."""
    played = [await over([ann, bob]) for _ in range(3)]
    await settled(ann, 3)
    viewer = uuid_of(ann.player["id"])
    until = datetime.now(UTC)
    first = await read_in_thread(played_games.keys, GameFilters(), viewer, None, until, 2)
    rest = await read_in_thread(played_games.keys, GameFilters(), viewer, first[-1], until, 2)
    assert [str(key.game) for key in (*first, *rest)] == played
    monkeypatch.setattr(my_games, "GAMES_PER_STREAM", 2)
    monkeypatch.setattr(my_games, "PAGE_SIZE", 1)
    session = await authenticate(f"Bearer {ann.token}", "GET /players/me/games/stream")
    engine = Engine(runtime.conninfo())  # that of the process may live on the loop of another test
    await engine.open()
    try:
        found = await streamed(my_games.GamesStream(engine, Client("", ""), session, [*first, *rest], None))
    finally:
        await engine.close()
    assert ids(found) == played[:2]
    assert found[-1] == {"complete": False, "cursor": found[1]["cursor"]}


async def streamed(response: my_games.GamesStream) -> list[Json]:
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def receive() -> Any:
        await asyncio.Event().wait()

    await response({"type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}}, receive, send)
    return [json.loads(line) for line in b"".join(sent).splitlines()]


async def test_a_stream_ends_without_its_last_line_when_the_session_is_revoked(ann: Player, bob: Player) -> None:
    await over([ann, bob])
    await settled(ann, 1)
    viewer = uuid_of(ann.player["id"])
    keys = await read_in_thread(played_games.keys, GameFilters(), viewer, None, datetime.now(UTC), 2)
    session = await authenticate(f"Bearer {ann.token}", "GET /players/me/games/stream")
    await in_a_thread(lifecycle.log_out, session.identity.session, datetime.now(UTC))
    engine = Engine(runtime.conninfo())
    await engine.open()
    try:
        assert await streamed(my_games.GamesStream(engine, Client("", ""), session, keys, None)) == []
    finally:
        await engine.close()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"mine": "true"}, "unknown"),
        ({"ruleset": "chess"}, "not_one_of"),
        ({"after": "rubbish"}, "wrong_format"),
        ({"after": "2026-01-31T12:00:00Z"}, "wrong_format"),
        ({"after": "x" * 5000}, "wrong_format"),
        ({"since": "yesterday", "until": "tomorrow"}, "wrong_format"),
        ({"opponent": "me"}, "wrong_format"),
    ],
)
async def test_a_wrong_parameter_is_refused_with_its_name(ann: Player, query: Json, code: str) -> None:
    problem = await ann.get(PATH, 400, params=query)
    assert {error["pointer"] for error in problem["errors"]} == {f"?{name}" for name in query}
    assert {error["code"] for error in problem["errors"]} == {code}


async def test_calls_are_limited(ann: Player) -> None:
    answers = [await ann.http.get(PATH) for _ in range(LIMITS["game_streams"].burst + 1)]
    assert [answer.status_code for answer in answers].count(429) == 1
    assert "retry-after" in answers[-1].headers


async def test_a_stream_needs_a_token(server: str, ann: Player) -> None:
    async with httpx.AsyncClient(base_url=server) as http:
        assert (await http.get("/api/v1" + PATH)).status_code == 401
    assert (await ann.http.head(PATH)).status_code == 200
