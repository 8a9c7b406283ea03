"""The Python client for asyncio against the running service, through cuts."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Literal
from urllib.parse import urlsplit

import pytest
from qwixx_client import (
    AsyncClient,
    AsyncGameStream,
    Client,
    Pauses,
    ProblemError,
    Spoken,
    StreamClosedError,
    Update,
    is_waiting,
)
from qwixx_client.models import Action, Event, Game

from tests.clients.copies import Copy, is_stored_once, is_whole, play_in_thread
from tests.streams.proxy import Proxy

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.usefixtures("transactional_db")]

QUICK = Pauses(0.02, 0.2)
LUCK = random.Random(1)
CUTS = [LUCK.randint(8, 24) for _ in range(1000)]  # chunks of answers from cut to cut
NOWHERE = "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11"

Ruleset = Literal["qwixx", "qwinto"]
Arrive = Callable[..., Awaitable[AsyncClient]]


@pytest.fixture
async def proxy(server: str) -> AsyncIterator[Proxy]:
    async with Proxy(urlsplit(server).port or 0) as proxy:
        yield proxy


@pytest.fixture
async def arrive(proxy: Proxy) -> AsyncIterator[Arrive]:
    """Creates clients behind the proxy."""
    async with AsyncExitStack() as stack:

        async def new(name: str) -> AsyncClient:
            client = await AsyncClient.guest(f"http://127.0.0.1:{proxy.port}", name, pauses=QUICK)
            return await stack.enter_async_context(client)

        yield new


async def table(arrive: Arrive, ruleset: Ruleset = "qwixx") -> tuple[list[AsyncClient], Game]:
    """A game of two; the first client rolls first."""
    ann, bob = [await arrive(name) for name in ("Ann", "Bob")]
    opened = await ann.create_game(ruleset=ruleset, visibility="private", clock=None)
    game = await bob.join_game(opened["id"], code=opened["code"])
    turn = game["turn"]
    assert turn
    return ([ann, bob] if turn["active"] == 0 else [bob, ann]), game


def never(game: Game) -> None:
    """Chooses no action."""


@pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])
async def test_a_game_is_whole_in_spite_of_cuts(ruleset: Ruleset, arrive: Arrive, proxy: Proxy) -> None:
    (ann, bob), game = await table(arrive, ruleset)
    other = Client(bob.url, bob.token, pauses=QUICK)
    copies = [Copy(), Copy()]
    proxy.cut_after(*CUTS)
    async with asyncio.timeout(60):
        await asyncio.gather(
            play(ann, game["id"], copies[0]), asyncio.to_thread(play_in_thread, other, game["id"], copies[1])
        )
    proxy.cut_after()
    assert min(copy.losses for copy in copies) > 3, "the network was not bad enough"
    for client, copy in zip((ann, bob), copies, strict=True):
        seat = (await client.read_game(game["id"]))["you"]
        is_whole(copy, await client.list_events(game["id"], limit=1000))
        is_stored_once(copy, seat)


async def play(client: AsyncClient, game_id: str, copy: Copy) -> None:
    async with client.stream(game_id, after=0) as stream:
        async for update in stream:
            copy.take(update)
            if is_waiting(update.game):
                action = random.choice(update.game["options"])
                with copy.acting(action):
                    await stream.act(action)
        copy.losses = stream.losses


async def test_an_action_whose_answer_is_lost_is_stored_once(arrive: Arrive, proxy: Proxy) -> None:
    (ann, _), game = await table(arrive)
    async with ann.stream(game["id"]) as stream:
        await anext(stream)
        proxy.cut_after(0)
        version = await stream.act({"type": "roll"})
        update = await anext(stream)
    assert stream.losses == 1
    assert [event["version"] for event in update.events if event["type"] == "dice_rolled"] == [version]
    log = await ann.list_events(game["id"])
    assert [event["type"] for event in log["results"]].count("dice_rolled") == 1


async def test_a_request_whose_answer_is_lost_counts_once(arrive: Arrive, proxy: Proxy) -> None:
    client = await arrive("Ann")
    proxy.cut_after(0)
    game = await client.create_game(ruleset="qwixx")
    assert [mine["id"] for mine in (await client.list_games(mine=True))["results"]] == [game["id"]]


async def test_a_stream_that_missed_nothing_starts_with_the_view(arrive: Arrive) -> None:
    (ann, _), game = await table(arrive)
    async with ann.stream(game["id"], after=game["version"]) as stream:
        update = await anext(stream)
    assert (update.version, update.events, update.game["status"]) == (game["version"], [], "playing")


async def test_a_stream_resumes_after_a_version(arrive: Arrive) -> None:
    (ann, _), game = await table(arrive)
    async with ann.stream(game["id"], after=2) as stream:
        update = await anext(stream)
    assert [event["version"] for event in update.events] == list(range(3, game["version"] + 1))


async def test_a_stream_that_stays_brings_a_phrase_and_the_rematch(arrive: Arrive) -> None:
    (ann, bob), game = await table(arrive)
    said: list[Spoken] = []
    async with ann.stream(game["id"], until_end=False, on_phrase=said.append) as stream:
        await anext(stream)
        await bob.say_phrase(game["id"], key="hello")
        await bob.play_action(game["id"], {"type": "resign"})
        await bob.request_rematch(game["id"])
        async with asyncio.timeout(20):
            updates = [update async for update in until_rematch(stream)]
    assert [phrase["key"] for phrase in said] == ["hello"]
    assert updates[-1].events[-1]["type"] == "rematch_created"


async def until_rematch(stream: AsyncGameStream) -> AsyncIterator[Update]:
    async for update in stream:
        yield update
        if update.game["next_game"]:
            return


async def test_one_task_acts_while_another_receives(arrive: Arrive) -> None:
    (ann, _), game = await table(arrive)
    received: list[Event] = []
    async with ann.stream(game["id"]) as stream:

        async def receive() -> None:
            async for update in stream:
                received.extend(update.events)

        receiving = asyncio.create_task(receive())
        version = await stream.act({"type": "roll"})
        await stream.close()
        async with asyncio.timeout(10):
            await receiving
    assert [event["version"] for event in received] in ([], [version])


async def test_a_forbidden_action_is_refused_with_its_code(arrive: Arrive) -> None:
    (ann, _), game = await table(arrive)
    action: Action = {"type": "mark", "row": "red", "number": 5}
    async with ann.stream(game["id"]) as stream:
        with pytest.raises(ProblemError) as refused:
            await stream.act(action)
    assert (refused.value.code, refused.value.is_outdated) == ("wrong_phase", True)
    with pytest.raises(StreamClosedError):
        await stream.act(action)


async def test_a_stream_that_cannot_go_on_raises_why(arrive: Arrive) -> None:
    (ann, _), game = await table(arrive)
    with pytest.raises(StreamClosedError) as closed:
        await ann.stream(NOWHERE).play(never)
    assert closed.value.close_code == 4404
    playing = asyncio.create_task(ann.stream(game["id"]).play(never))
    await ann.revoke_current_session()
    with pytest.raises(ProblemError) as refused:
        async with asyncio.timeout(10):
            await playing
    assert (refused.value.status, refused.value.code) == (401, "not_authenticated")


async def test_a_refused_call_raises_its_code(server: str) -> None:
    async with AsyncClient(server) as client:
        with pytest.raises(ProblemError) as refused:
            await client.read_game(NOWHERE)
    assert (refused.value.status, refused.value.code) == (401, "not_authenticated")


async def test_a_player_is_told_of_their_turn_and_hears_the_lobby(arrive: Arrive, proxy: Proxy) -> None:
    (ann, _), game = await table(arrive)
    notifications = ann.notifications()
    assert (await anext(notifications))["type"] == "hello"
    told = await anext(notifications)
    assert (told["type"], told["type"] == "your_turn" and told["game"]) == ("your_turn", game["id"])
    proxy.cut()
    assert (await anext(notifications))["type"] == "hello"
    lobby = ann.lobby(ruleset="qwixx")
    assert [(await anext(lobby))["type"] for _ in range(2)] == ["hello", "games"]
