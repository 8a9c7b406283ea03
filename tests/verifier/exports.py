"""Builds exports as a viewer gets them, and changes values in them."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from games.game.events import GENESIS, canonical, chain_hash
from games.game.views import event_views, sealed_versions
from tests.builders import GameDriver
from tests.golden.make import GAMES, HERE, V1_GAMES

GOLDEN = {name: (HERE / f"{name}.ndjson").read_bytes() for name in (*GAMES, *(f"v1/{name}" for name in V1_GAMES))}
Line = dict[str, Any]
Place = tuple[int, tuple[str | int, ...]]  # of a value: its line, and the path in it


def export(driver: GameDriver, seat: int | None = None) -> bytes:
    """The export that the service gives to this seat."""
    game = driver.game
    header = {"format": "qwixx-log", "format_version": 1, "game": game.id, "ruleset": game.setup.ruleset}
    header |= {"sheet": game.setup.sheet, "events": len(driver.log), "complete": game.is_over}
    return written([header, *event_views(driver.log, seat, sealed_versions(game))])


def written(lines: list[Line]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def read(text: bytes) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def chained_again(lines: list[Line]) -> list[Line]:
    """The export with versions, `prev`, hashes and the count of events recomputed, as a forger would."""
    header, *events = deepcopy(lines)
    header["events"] = len(events)
    prev = GENESIS
    for version, event in enumerate(events, start=1):
        event |= {"version": version, "prev": prev}
        event["hash"] = prev = chain_hash(
            prev, event["game"], version, event["type"], event["v"], event["at"], event["data"]
        )
    return [header, *events]


def places(lines: list[Line]) -> Iterator[Place]:
    """Every value in an export that is not made of others."""
    for number, line in enumerate(lines):
        yield from ((number, way) for way in _ways(line))


def _ways(value: Any) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield ()
    for key, member in inner or ():
        yield from ((key, *way) for way in _ways(member))


def changed(lines: list[Line], place: Place, value: Any) -> list[Line]:
    lines = deepcopy(lines)
    number, (*way, last) = place
    inner: Any = lines[number]
    for key in way:
        inner = inner[key]
    inner[last] = value
    return lines


def value_at(lines: list[Line], place: Place) -> Any:
    number, way = place
    inner: Any = lines[number]
    for key in way:
        inner = inner[key]
    return inner
