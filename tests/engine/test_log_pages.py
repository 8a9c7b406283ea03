"""Long logs are read and folded in pages: each page is bounded, and the result is that of the whole log."""

from uuid import UUID

import msgspec
import pytest

from games import queries
from games.engine import reader
from games.game.aggregate import fold
from games.log import store
from games.log.connections import Connection
from tests.engine.conftest import MakeEngine
from tests.engine.games import NOW, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("size", [1, 3, 7, 500])
async def test_pages_of_any_size_give_the_whole_log_and_every_version(
    conninfo: str, make_engine: MakeEngine, connection: Connection, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(reader, "LOG_PAGE", size)
    engine = await make_engine(conninfo)
    game = await started(engine)
    game_id = UUID(game.id)
    for _ in range(4):
        game = (await engine.submit(game_id, next_step(game), NOW)).game
    whole = await store.events_after(connection, game_id, 0)
    for after in range(game.version + 1):
        assert await engine.log(game_id, after) == whole[after:]
        assert await engine.log(game_id, after, 4) == whole[after : after + 4]
    for version in range(1, game.version + 1):
        assert await engine.game_at(game_id, version) == fold(None, whole[:version])
    header, exported = await queries.export(engine, await engine.read(game_id), game.participants[0].player or "")
    assert header["events"] == len(exported) == game.version
    assert [msgspec.json.decode(event)["version"] for event in exported] == list(range(1, game.version + 1))
