"""Players with very many games: how many are read for a new socket, and for each check of missed notifications."""

from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
import pytest
from django.conf import settings

from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.live.hub import Hub
from games.streams.channels import player_channels
from games.streams.channels.player_channels import PlayerChannels
from players.database.ids import uuid7
from tests.engine.games import NOW, create, join, next_step

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 3


class OneSocket:
    def __init__(self) -> None:
        self.questions: list[str] = []

    def write(self, text: str) -> None:
        message = msgspec.json.decode(text)
        self.questions += [message["game"]] if message["type"] == "your_turn" else []


class CountingEngine(Engine):
    reads = 0

    async def read(self, game_id: UUID) -> object:  # type: ignore[override]
        self.reads += 1
        return await super().read(game_id)


@pytest.fixture
async def engine(conninfo: str) -> AsyncIterator[CountingEngine]:
    engine = CountingEngine(conninfo)
    await engine.open()
    yield engine
    await engine.close()


async def asked(engine: Engine, player: UUID, games: int) -> list[GameState]:
    """Games that wait for the player's answer."""
    found = []
    for _ in range(games):
        game_id = UUID((await create(engine, player)).game.id)
        game = (await engine.submit(game_id, join(uuid7()), NOW)).game
        found.append((await engine.submit(game_id, next_step(game), NOW)).game)  # the first roll, which asks both
    return found


async def test_a_new_socket_is_asked_the_newest_questions_and_no_check_reads_a_game_twice(
    engine: CountingEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_channels, "MOST_QUESTIONS", MOST)
    player, socket = uuid7(), OneSocket()
    games = await asked(engine, player, MOST + 4)
    channels = PlayerChannels(engine, Hub(settings.REDIS_URL))
    known = await channels.subscribe(str(player), socket)
    await channels.send_questions(str(player), socket, known)
    newest = [game.id for game in games[-MOST:]]
    assert socket.questions == newest
    assert engine.reads == MOST
    for _ in range(2):
        await channels.check()
    assert (socket.questions, engine.reads) == (newest, MOST)
    (late,) = await asked(engine, player, 1)  # nothing tells this channel of it
    for _ in range(2):
        await channels.check()
    assert socket.questions == [*newest, late.id]
    assert engine.reads == MOST + 1
