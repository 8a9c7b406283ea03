"""Whole games over networks that cut, delay and lose: every copy is the game, with each version exactly once."""

import asyncio
from contextlib import AsyncExitStack
from socket import create_server
from urllib.parse import urlsplit

import httpx
import redis.asyncio
from redis.asyncio.client import Monitor

from games.game.events import first_bad_version
from qwixx_service.embedded import services, valkey
from qwixx_service.embedded.server_process import Server
from tests.api.client import Json, Player, table
from tests.streams.client import Socket, watch
from tests.streams.conftest import ProxiedPair
from tests.streams.copies import completed, copy_of, people_in, seen
from tests.streams.player import Phone
from tests.streams.proxy import Proxy, troubled


async def is_what_a_fresh_fetch_gives(phone: Phone, player: Player, game: Json) -> None:
    fresh = await player.view(game)
    assert [event["version"] for event in phone.events] == list(range(1, fresh["version"] + 1))
    assert seen(copy_of(phone.events), fresh, people_in(fresh)) == fresh
    assert first_bad_version(completed(phone.events)) is None


async def test_games_survive_cut_connections_and_lost_messages(pair: ProxiedPair, sockets: AsyncExitStack) -> None:
    players = await pair.arrive(sockets, 4)
    games = [await table(players[:2]), await table(players[2:], ruleset="qwinto")]
    fronts = [await sockets.enter_async_context(Proxy(urlsplit(address).port or 0)) for address in pair.addresses]
    phones = [
        Phone(f"http://127.0.0.1:{fronts[number % 2].port}", games[number // 2]["id"], player.token, f"phone {number}")
        for number, player in enumerate(players)
    ]

    async def redis_trouble() -> None:
        while True:
            for line in pair.lines:
                line.is_deaf = not line.is_deaf
                line.delay_s = 0.05 - line.delay_s
                await asyncio.sleep(0.4)
                line.cut()

    trouble = asyncio.create_task(redis_trouble())
    async with asyncio.timeout(80):
        async with troubled(fronts[0], 1, 0.15), troubled(fronts[1], 2, 0.25):
            await asyncio.gather(*(phone.play() for phone in phones))
    trouble.cancel()
    assert min(phone.connections for phone in phones) > 3, "the network was not bad enough"
    for number, phone in enumerate(phones):
        await is_what_a_fresh_fetch_gives(phone, players[number], games[number // 2])


async def test_events_whose_messages_redis_lost_arrive_with_the_heartbeat(
    pair: ProxiedPair, sockets: AsyncExitStack
) -> None:
    ann, bob = await pair.arrive(sockets, 2)
    for line in pair.lines:
        line.is_deaf = True
    here, there = pair.addresses
    watched = await ann.create()
    streams = {
        path: await sockets.enter_async_context(await Socket.open(there, f"/ws/v1/{path}", bob.token))
        for path in (f"games/{watched['id']}", "lobby", "me")
    }
    for socket in streams.values():
        await socket.next("hello")
    await streams["lobby"].next("games")
    headers = {"Authorization": f"Bearer {bob.token}"}
    async with httpx.AsyncClient(base_url=there, headers=headers, timeout=20) as http:
        path = f"/api/v1/games/{watched['id']}/stream?after={watched['version']}"
        async with http.stream("GET", path) as events:
            # Bob joins through the other process, whose messages are lost.
            joined = await http.post(f"{here}/api/v1/games/{watched['id']}/join", json={})
            assert joined.status_code == 200
            head = joined.json()["version"]
            await streams[f"games/{watched['id']}"].at_version(head)
            changed = await streams["lobby"].next("game")
            assert (changed["game"]["id"], changed["game"]["status"]) == (watched["id"], "playing")
            assert (await streams["me"].next("game_started"))["game"] == watched["id"]
            async for told in events.aiter_lines():
                if told == f"id: {head}":
                    break
    game = streams[f"games/{watched['id']}"]
    assert game.versions == list(range(watched["version"] + 1, head + 1))


async def test_two_processes_play_one_game(pair: ProxiedPair, sockets: AsyncExitStack) -> None:
    """Received through Redis: the check for missed messages would take many times as long."""
    ann, bob = await pair.arrive(sockets, 2)
    game = await table([ann, bob])
    streams = [
        await sockets.enter_async_context(await watch(player, game, address=address))
        for player, address in zip((ann, bob), pair.addresses, strict=True)
    ]
    for socket in streams:
        await socket.next("state")
    roller = game["turn"]["active"]
    async with asyncio.timeout(4):
        await streams[roller].act("roll", {"type": "roll"})
        await streams[1 - roller].next("update")
        answered = [await socket.act("answer", {"type": "pass"}) for socket in streams]
        for socket in streams:
            await socket.at_version(max(ack["version"] for ack in answered))
    assert streams[0].versions == streams[1].versions


async def test_games_go_on_while_valkey_is_killed_and_started_again(
    pair: ProxiedPair, sockets: AsyncExitStack, own_valkey: Server
) -> None:
    pair.turn_to(own_valkey)
    players = await pair.arrive(sockets, 2)
    game = await table(players)
    phones = [
        Phone(address, game["id"], player.token, f"phone {number}")
        for number, (address, player) in enumerate(zip(pair.addresses, players, strict=True))
    ]
    playing = asyncio.gather(*(phone.play() for phone in phones))
    async with asyncio.timeout(80):
        await phones[0].has(10)
        assert own_valkey.process is not None
        own_valkey.process.kill()
        own_valkey.process.wait(10)
        await phones[0].has(14)  # by the check for missed messages alone
        await asyncio.to_thread(own_valkey.start)
        await playing
    for phone, player in zip(phones, players, strict=True):
        await is_what_a_fresh_fetch_gives(phone, player, game)


async def test_a_redis_that_accepts_a_connection_and_never_answers_is_given_up(
    pair: ProxiedPair, sockets: AsyncExitStack, own_valkey: Server
) -> None:
    mute = sockets.enter_context(create_server(("127.0.0.1", 0)))
    mute.settimeout(0)
    url = services.redis_url(own_valkey.folder.parent)
    client = await sockets.enter_async_context(redis.asyncio.from_url(url, socket_timeout=None))
    async with asyncio.timeout(30), client.monitor() as said:
        pair.turn_to(own_valkey)
        await subscribed(said, 2)
        for line in pair.lines:
            line.target = mute.getsockname()[1]
            line.cut()
            taken, _ = await asyncio.get_running_loop().sock_accept(mute)
            sockets.enter_context(taken)
            line.target = valkey.socket(own_valkey.folder.parent)  # for the next line; this one is not cut
        await subscribed(said, 2)


async def subscribed(said: Monitor, times: int) -> None:
    for _ in range(times):
        while "SUBSCRIBE" not in (await said.next_command())["command"].upper():
            pass
