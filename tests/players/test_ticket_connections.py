"""Stream tickets while many clients buy them at once, and while Redis is away."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from players.accounts import guests
from players.sessions import stream_tickets, tokens
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import is_problem
from tests.server import web_process


def test_a_client_waits_for_a_connection_when_all_are_used() -> None:
    digest = tokens.digest(tokens.new()) or b""
    with ThreadPoolExecutor(8 * stream_tickets.CONNECTIONS) as threads:
        bought = list(threads.map(lambda _: stream_tickets.issue(digest, NOW), range(400)))
    assert len({ticket.ticket for ticket in bought}) == 400


@pytest.fixture
def without_redis(transactional_db: None) -> Iterator[str]:
    """A web process whose Redis refuses every connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with web_process(REDIS_URL=f"redis://127.0.0.1:{port}/0") as address:
        yield address


async def test_without_redis_no_ticket_is_sold_or_redeemed_and_the_client_is_told_to_retry(without_redis: str) -> None:
    ann = await in_a_thread(guests.create_guest, NOW, "Ann")
    async with httpx.AsyncClient(base_url=f"{without_redis}/api/v1", timeout=60) as http:
        headers = {"Authorization": f"Bearer {ann.token}"}
        sold = await http.post("/stream-tickets", headers=headers)
        is_problem(sold, 503, "unavailable")
        game = (await http.post("/games", json={"ruleset": "qwixx"}, headers=headers)).json()
        redeemed = await http.get(f"/games/{game['id']}/stream?ticket=x")
        is_problem(redeemed, 503, "unavailable")
    assert all(answer.headers["retry-after"].isdigit() for answer in (sold, redeemed))
