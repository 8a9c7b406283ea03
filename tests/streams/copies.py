"""A client's own copy of a game, built from the events it was sent and nothing else."""

from typing import Any

import msgspec

from games.game.aggregate import GameState, fold
from games.game.events import Event
from games.game.views import game_view
from tests.api.client import Json

UNKNOWN = {"action": {"type": "pass"}, "nonce": ""}  # in place of what another seat has sealed


def known(event: Json) -> Event:
    """An event as its viewer can fold it."""
    data = event["data"]
    return Event(**{**event, "data": {**UNKNOWN, **data} if event["type"] == "answer_sealed" else data})


def copy_of(events: list[Json], version: int | None = None) -> GameState:
    return fold(None, [known(event) for event in events[:version]])


def seen(game: GameState, like: Json, people: dict[str, Json]) -> Json:
    """What the viewer of `like` would see of a game."""
    view = game_view(game, like["you"], like["code"] or "", people.__getitem__, like["server_time"])
    plain: Json = msgspec.json.decode(msgspec.json.encode(view))
    return plain


def people_in(view: Json) -> dict[str, Json]:
    return {seat["player"]["id"]: seat["player"] for seat in view["seats"]}


def completed(events: list[Json]) -> list[Event]:
    """The whole log: what was sealed is taken from the event that revealed it."""
    revealed: dict[int, Any] = {}
    for event in events:
        for answer in event["data"].get("answers") or () if event["type"] == "phase_closed" else ():
            revealed[answer["version"]] = {name: answer[name] for name in ("action", "nonce")}
    return [Event(**{**event, "data": {**event["data"], **revealed.get(event["version"], {})}}) for event in events]
