"""The synchronous Python client against the running service; whole games through cuts are in test_python_async.py."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from qwixx_client import Client, Pauses, ProblemError, StreamClosedError
from qwixx_client.models import Game

from tests.streams.proxy import Proxy

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.usefixtures("transactional_db")]

NOWHERE = "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11"


@pytest.fixture
def players(server: str) -> Iterator[list[Client]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Client.guest(server, name)) for name in ("Ann", "Bob")]


def started(players: list[Client]) -> Game:
    game = players[0].create_game(ruleset="qwixx")
    return players[1].join_game(game["id"])


def roller(players: list[Client], game: Game) -> Client:
    assert game["turn"]
    return players[game["turn"]["active"]]


@pytest.fixture
async def proxy(server: str) -> AsyncIterator[Proxy]:
    async with Proxy(urlsplit(server).port or 0) as proxy:
        yield proxy


async def test_an_action_whose_answer_is_lost_is_stored_once(players: list[Client], proxy: Proxy) -> None:
    game = started(players)
    client = Client(f"http://127.0.0.1:{proxy.port}", roller(players, game).token, pauses=Pauses(0.02, 0.2))

    def roll() -> None:
        with client, client.stream(game["id"]) as stream:
            next(stream)
            proxy.cut_after(0)
            version = stream.act({"type": "roll"})
            update = next(stream)
        assert stream.losses == 1
        assert [event["version"] for event in update.events if event["type"] == "dice_rolled"] == [version]

    await asyncio.to_thread(roll)
    log = players[0].list_events(game["id"])
    assert [event["type"] for event in log["results"]].count("dice_rolled") == 1


def test_a_stream_starts_with_the_view_and_resumes_after_a_version(players: list[Client]) -> None:
    game = started(players)
    for after in (None, game["version"]):
        with players[0].stream(game["id"], after=after) as stream:
            assert (next(stream).events, stream.version) == ([], game["version"])
    with players[0].stream(game["id"], after=2) as stream:
        assert [event["version"] for event in next(stream).events] == list(range(3, game["version"] + 1))


def test_a_forbidden_action_is_refused_with_its_code(players: list[Client]) -> None:
    game = started(players)
    with roller(players, game).stream(game["id"]) as stream:
        with pytest.raises(ProblemError) as refused:
            stream.act({"type": "mark", "row": "red", "number": 5})
        assert refused.value.code == "wrong_phase"
    with pytest.raises(StreamClosedError):
        stream.act({"type": "roll"})


def test_a_stream_that_cannot_go_on_raises_why(players: list[Client]) -> None:
    game = started(players)
    with pytest.raises(StreamClosedError) as closed:
        next(players[0].stream(NOWHERE))
    assert closed.value.close_code == 4404
    with players[0].stream(game["id"]) as stream:
        next(stream)
        players[0].revoke_current_session()
        with pytest.raises(ProblemError) as refused:
            next(stream)
    assert (refused.value.status, refused.value.code) == (401, "not_authenticated")


def test_a_player_is_told_of_their_turn_and_hears_the_lobby(players: list[Client]) -> None:
    game = started(players)
    notifications = roller(players, game).notifications()
    assert next(notifications)["type"] == "hello"
    told = next(notifications)
    assert (told["type"], told["type"] == "your_turn" and told["game"]) == ("your_turn", game["id"])
    lobby = players[0].lobby(ruleset="qwixx")
    assert [next(lobby)["type"] for _ in range(2)] == ["hello", "games"]


def test_each_player_gives_a_part_of_the_dice_after_the_service_has_committed_to_its_own(
    players: list[Client],
) -> None:
    game = started(players)
    with players[0].stream(game["id"]) as stream:
        stream.act({"type": "resign"})
    proof = players[0].read_proof(game["id"])
    assert proof["late_seeds"] == [True, True]
    assert [len(seed) for seed in proof["client_seeds"]] == [32, 32]


def test_the_members_of_a_body_are_keyword_arguments(players: list[Client]) -> None:
    changed = players[0].change_me(name="Anna")
    assert changed["name"] == players[0].read_me()["name"] == "Anna"
    with pytest.raises(ProblemError) as refused:
        players[0].change_me(name="")
    assert refused.value.code == "malformed"
    assert refused.value.problem is not None
    assert refused.value.problem["errors"][0]["pointer"] == "/name"
