"""Stream tickets while many clients buy them at once, and while Redis is away."""

import hashlib
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from django.conf import settings

from players.accounts import guests
from players.redis_servers.redis_clients import connect
from players.sessions import stream_tickets, tokens
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import is_problem
from tests.server import web_process


def test_a_client_waits_for_a_connection_when_all_are_used() -> None:
    digest = tokens.digest(tokens.new()) or b""
    with ThreadPoolExecutor(8 * stream_tickets.CONNECTIONS) as threads:
        bought = list(threads.map(lambda _: stream_tickets.issue(digest, NOW), range(400)))
    assert len({ticket.ticket for ticket in bought}) == 400


async def test_what_a_stranger_copies_in_redis_is_no_ticket() -> None:
    """With its password, but without the secret key: the value of a ticket under the name of another one."""
    digest = tokens.digest(tokens.new()) or b""
    redeemer, redis = stream_tickets.TicketRedeemer(), connect(settings.REDIS_URL)
    try:
        bought = await in_a_thread(stream_tickets.issue, digest, NOW)
        stored = redis.get(name_of(bought.ticket))
        for value in (stored, stored[:-1], digest, b""):
            redis.set(name_of("forged"), value)
            assert await redeemer.redeem("forged") is None
        assert await redeemer.redeem(bought.ticket) == digest
    finally:
        await redeemer.close()
        redis.close()


def name_of(ticket: str) -> str:
    return stream_tickets.KEY_PREFIX + hashlib.sha256(ticket.encode()).hexdigest()


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
