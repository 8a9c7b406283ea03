"""Notifications of matches and invitations, phrases, and matchmaking tickets that an open stream keeps alive."""

import asyncio
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from django.db import connections

from games import runtime
from games.clock import now
from games.matchmaking import tickets
from games.matchmaking.models import Ticket
from games.tasks import matchmaker
from tests.api.client import Player, table
from tests.server import web_process
from tests.streams.conftest import Open, Watch

WISH = {"ruleset": "qwixx", "sheet": "classic", "seats": 2}
Result = TypeVar("Result")


@pytest.fixture
def here() -> Iterator[None]:
    """An engine of this process, which is not the one that serves."""
    yield
    runtime.end()


async def in_a_thread(call: Callable[[], Result]) -> Result:
    """As Django wants it; the thread keeps no connection."""

    def run() -> Result:
        try:
            return call()
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


async def test_a_player_for_whom_a_match_was_found_is_notified(
    ann: Player, bob: Player, opening: Open, here: None
) -> None:
    mine = await opening("/ws/v1/me", ann.token)
    await mine.next("hello")
    ticket = await ann.post("/matchmaking", WISH, 202)
    await bob.post("/matchmaking", WISH, 202)
    await in_a_thread(lambda: matchmaker.sweep(now()))
    found = await mine.next("match_found")
    assert found["ticket"] == ticket["ticket"]
    assert (await ann.get(f"/games/{found['game']}"))["you"] is not None


async def test_an_invited_player_is_notified_unless_they_block_the_host(
    ann: Player, bob: Player, opening: Open
) -> None:
    socket = await opening("/ws/v1/me", bob.token)
    await socket.next("hello")
    body = {"player": bob.player["id"]}
    first, second, third = [await ann.create(seats=3) for _ in range(3)]
    sent = await ann.post(f"/games/{first['id']}/invitations", body, 201)
    told = await socket.next("invited")
    assert (told["invitation"], told["game"], told["by"]["name"]) == (sent["id"], first["id"], "Ann")
    await ann.post(f"/games/{first['id']}/invitations", body, 201)
    await bob.http.put(f"/players/me/blocks/{ann.player['id']}")
    await ann.post(f"/games/{second['id']}/invitations", body, 201)
    await bob.http.delete(f"/players/me/blocks/{ann.player['id']}")
    await ann.post(f"/games/{third['id']}/invitations", body, 201)
    assert (await socket.next("invited"))["game"] == third["id"]


async def test_a_player_is_told_of_a_declined_invitation_and_of_a_rematch(
    ann: Player, bob: Player, opening: Open
) -> None:
    socket = await opening("/ws/v1/me", ann.token)
    await socket.next("hello")
    game = await ann.create(seats=2)
    sent = await ann.post(f"/games/{game['id']}/invitations", {"player": bob.player["id"]}, 201)
    for _ in range(2):  # told once
        await bob.post(f"/invitations/{sent['id']}/decline")
    told = await socket.next("invitation_declined")
    assert (told["invitation"], told["game"], told["player"]["name"]) == (sent["id"], game["id"], "Bob")
    over = await table([ann, bob])
    await ann.post(f"/games/{over['id']}/actions", {"type": "resign"})
    following = await bob.post(f"/games/{over['id']}/rematch")
    assert await socket.next("rematch_offered") == {
        "type": "rematch_offered",
        "game": over["id"],
        "next": following["id"],
    }


async def test_a_phrase_is_sent_to_every_viewer_in_their_language(
    ann: Player, bob: Player, cid: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    heard = {}
    for language, player in (("en", ann), ("de-AT, en;q=0.5", bob), ("uk", cid)):
        socket = await watching(player, game, headers={"Accept-Language": language})
        await socket.next("state")
        heard[language] = socket
    await bob.post(f"/games/{game['id']}/phrases", {"key": "well_played"})
    said = [(await socket.next("phrase")) for socket in heard.values()]
    assert [frame["text"] for frame in said] == ["Well played!", "Gut gespielt!", "Чудово зіграно!"]
    assert {(frame["seat"], frame["key"]) for frame in said} == {(1, "well_played")}


@pytest.mark.parametrize("kind", ["mutes", "blocks"])
async def test_a_phrase_is_not_sent_to_players_who_mute_or_block_the_speaker(
    ann: Player, bob: Player, cid: Player, watching: Watch, kind: str
) -> None:
    game = await table([ann, bob, cid])
    await ann.http.put(f"/players/me/{kind}/{bob.player['id']}")
    deaf, other = await watching(ann, game), await watching(cid, game)
    for socket in (deaf, other):
        await socket.next("state")
    await bob.post(f"/games/{game['id']}/phrases", {"key": "hello"})
    assert (await other.next("phrase"))["key"] == "hello"
    await cid.post(f"/games/{game['id']}/phrases", {"key": "oops"})
    assert (await deaf.next("phrase"))["key"] == "oops"


async def test_a_phrase_sent_twice_with_one_key_is_delivered_once(ann: Player, bob: Player, watching: Watch) -> None:
    game = await table([ann, bob])
    socket = await watching(ann, game)
    await socket.next("state")
    for key, headers in (("hello", {"Idempotency-Key": "k"}), ("hello", {"Idempotency-Key": "k"}), ("oops", {})):
        await bob.post(f"/games/{game['id']}/phrases", {"key": key}, headers=headers)
    assert [(await socket.next("phrase"))["key"] for _ in range(2)] == ["hello", "oops"]


async def test_a_phrase_is_delivered_in_other_processes(ann: Player, bob: Player, watching: Watch) -> None:
    game = await table([ann, bob])
    there = web_process()
    address = await asyncio.to_thread(there.__enter__)
    try:
        socket = await watching(ann, game, address=address)
        await socket.next("state")
        await bob.post(f"/games/{game['id']}/phrases", {"key": "thanks"})
        assert (await socket.next("phrase"))["key"] == "thanks"
        await socket.close()
    finally:
        await asyncio.to_thread(there.__exit__, None, None, None)


async def test_an_open_me_stream_keeps_a_matchmaking_ticket_alive(ann: Player, opening: Open, here: None) -> None:
    socket = await opening("/ws/v1/me", ann.token)
    await socket.next("hello")
    ticket = await ann.post("/matchmaking", WISH, 202)
    long_ago = now() - tickets.ABSENT_AFTER * 2
    await in_a_thread(lambda: Ticket.objects.update(seen_at=long_ago))
    async with asyncio.timeout(60):
        while await in_a_thread(lambda: Ticket.objects.get().seen_at) == long_ago:  # noqa: ASYNC110  (no event is sent for it)
            await asyncio.sleep(0.2)
    await in_a_thread(lambda: matchmaker.sweep(now()))
    assert (await ann.get(f"/matchmaking/{ticket['ticket']}"))["status"] == "queued"
