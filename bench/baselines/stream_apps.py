"""Two applications that fan out on request: our service, and stock consumers on the Redis layer of Channels.

Both respond with the moment of the commit, by the clock that all processes of a machine share.
"""

import asyncio
import os
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup(set_prefix=False)

import msgspec  # noqa: E402  (Django must be set up first)
from channels.generic.websocket import AsyncWebsocketConsumer  # type: ignore[import-untyped]  # noqa: E402
from channels.layers import get_channel_layer  # type: ignore[import-untyped]  # noqa: E402
from django.conf import settings  # noqa: E402

from games import clock, runtime  # noqa: E402
from games.engine.engine import Engine  # noqa: E402
from games.game.aggregate import GameState  # noqa: E402
from games.game.decisions import interventions  # noqa: E402
from games.game.decisions.draft import Draft, Moment  # noqa: E402
from games.log.models import Receipt  # noqa: E402
from players.database.ids import uuid7  # noqa: E402
from qwixx_service import asgi  # noqa: E402

# As large as an update with one event.
PAYLOAD = {"type": "update", "events": [{"game": "x" * 36, "data": {"seat": 1, "player": "x" * 36}, "hash": "x" * 250}]}


async def ours(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http" or not scope["path"].startswith("/bench/"):
        return await asgi.application(scope, receive, send)
    name, _, argument = scope["path"].removeprefix("/bench/").partition("/")
    return await _respond(send, _memory() if name == "memory" else await _tick(argument.split(",")))


async def _tick(games: list[str]) -> list[float]:
    """One commit of each game, and their moments. Group commit stores them in as few turns as it can."""
    engine = await runtime.engine()
    committed: dict[str, float] = {}

    def listener(game: GameState, _events: Any) -> None:
        committed[game.id] = perf_counter()

    engine.listeners.insert(0, listener)  # before the listener that publishes
    await asyncio.gather(*(_pause_or_resume(engine, UUID(game)) for game in games))
    engine.listeners.remove(listener)
    return [committed[game] for game in games]


async def _pause_or_resume(engine: Engine, game_id: UUID) -> None:
    """Append one event, by the game in memory: reading every game first would delay the updates of other games."""

    def decide(game: GameState, moment: Moment) -> Draft:
        return (interventions.resume if game.paused else interventions.pause)(game, "a benchmark", moment)

    await engine.submit(game_id, decide, clock.now())


def _memory() -> float:
    """The resident memory of this process in kilobytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


settings.CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [settings.REDIS_URL]},
    }
}


class StockConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """As in the tutorial of Channels."""

    async def connect(self) -> None:
        self.group = self.scope["path"].rpartition("/")[2]
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:  # noqa: ARG002
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def fan_out(self, message: Any) -> None:
        await self.send(text_data=msgspec.json.encode(message["payload"]).decode())


async def stock(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await StockConsumer.as_asgi()(scope, receive, send)
        return None
    if scope["type"] != "http":
        return None
    if scope["path"] == "/bench/memory":
        return await _respond(send, _memory())
    return await _respond(send, [await _store_and_send(group) for group in scope["path"].rpartition("/")[2].split(",")])


async def _store_and_send(group: str) -> float:
    """As a service on stock Channels does it: store a row, then send. The measurement begins with the commit."""
    row = Receipt(player=uuid7(), key="k", fingerprint=b"f" * 32, game_id=uuid7(), first_version=1, last_version=1)
    await row.asave(force_insert=True)
    began = perf_counter()
    await get_channel_layer().group_send(group, {"type": "fan_out", "payload": PAYLOAD})
    return began


async def _respond(send: Any, answer: Any) -> None:
    body = msgspec.json.encode(answer)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})
