"""Tickets: a browser's way in, once and soon, with the rights of the session that bought it."""

from datetime import UTC, datetime, timedelta

import httpx

from tests.api.client import Player
from tests.streams.conftest import Open


async def bought(player: Player) -> str:
    answer = await player.post("/stream-tickets", status=201)
    lasts = datetime.fromisoformat(answer["expires_at"]) - datetime.now(UTC)
    assert timedelta(seconds=15) < lasts <= timedelta(seconds=30)
    ticket: str = answer["ticket"]
    return ticket


async def test_a_ticket_opens_one_stream_and_no_second(ann: Player, opening: Open) -> None:
    game, ticket = await ann.create(visibility="private"), await bought(ann)
    path = f"/ws/v1/games/{game['id']}?ticket={ticket}"
    socket = await opening(path)
    assert (await socket.next("state"))["game"]["you"] == 0
    assert await (await opening(path)).closed() == 4401


async def test_a_ticket_opens_server_sent_events(ann: Player, server: str) -> None:
    game, ticket = await ann.create(visibility="private"), await bought(ann)
    path = f"/api/v1/games/{game['id']}/stream?ticket={ticket}&after=0"
    async with httpx.AsyncClient(base_url=server, timeout=20) as http:
        async with http.stream("GET", path) as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if line.startswith("id:"):
                    break
            assert line == "id: 1"
        assert (await http.get(path)).status_code == 401
        assert (await http.get(f"/api/v1/games/{game['id']}?ticket={await bought(ann)}")).status_code == 401


async def test_a_ticket_dies_with_its_session(ann: Player, opening: Open) -> None:
    ticket = await bought(ann)
    assert (await ann.http.delete("/sessions/current")).status_code == 204
    assert await (await opening(f"/ws/v1/me?ticket={ticket}")).closed() == 4401


async def test_a_ticket_needs_a_token_and_cannot_be_guessed(ann: Player, server: str, opening: Open) -> None:
    async with httpx.AsyncClient(base_url=server) as http:
        assert (await http.post("/api/v1/stream-tickets")).status_code == 401
    for wrong in ("", "rubbish", "x" * 32):
        assert await (await opening(f"/ws/v1/me?ticket={wrong}")).closed() == 4401
    assert await bought(ann) != await bought(ann)
