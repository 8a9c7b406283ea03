"""Every query parameter is validated, also beside others."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from games.webhooks import endpoints
from tests.api.client import Json, Player
from tests.players.conftest import in_a_thread

DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text())
TIME = "2026-01-31T12:00:00Z"
VALID = {"sheet": "classic", "limit": "7", "at": "2026-01-31", "after": "0", "wait": "1", "version": "1"}
VALID |= {"player": "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57", "ended_after": TIME, "ended_before": TIME}
NOT_KNOWN_BEFORE = {"ticket", "cursor"}  # a valid value of the others is known before the test
PATHS = {"ruleset": "qwixx", "metric": "wins"}


ANY_TEXT = {"share"}  # a key that opens nothing is no error: the game is then as visible as without it


def lists() -> Iterator[tuple[str, list[Json]]]:
    for path, operations in DOCUMENT["paths"].items():
        found = [each for each in operations.get("get", {}).get("parameters", ()) if each["in"] == "query"]
        parameters = [each for each in found if each["name"] not in ANY_TEXT]
        if parameters and not path.endswith("/stream"):  # which never ends
            yield path, parameters


PARAMETERS = dict(lists())


def valid(parameter: Json) -> str:
    schema = parameter["schema"].get("items", parameter["schema"])
    if schema["type"] == "boolean":
        return "true"
    return str(schema.get("enum", [VALID.get(parameter["name"])])[-1])


async def new_webhook(ann: Player) -> str:
    """Stored directly, because guests cannot register one."""
    owner, url = UUID(ann.player["id"]), "https://hook.example.org/"
    made = await in_a_thread(endpoints.register, owner, url, ["game.started"], datetime.now(UTC))
    return str(made.webhook.pk)


async def address(path: str, ann: Player) -> str:
    game = (await ann.create())["id"] if "{game_id}" in path else ""
    webhook = await new_webhook(ann) if "{webhook_id}" in path else ""
    filled: Any = path.format(game_id=game, webhook_id=webhook, player_id=ann.player["id"], **PATHS)
    return str(filled).removeprefix("/api/v1")


@pytest.mark.parametrize("path", PARAMETERS)
async def test_an_invalid_parameter_is_refused_beside_valid_ones(ann: Player, path: str) -> None:
    query = {each["name"]: valid(each) for each in PARAMETERS[path] if each["name"] not in NOT_KNOWN_BEFORE}
    where = await address(path, ann)
    await ann.get(where, 200, params=query)
    for wrong in {each["name"] for each in PARAMETERS[path]} - {"ticket"}:
        answer = await ann.get(where, 400, params={**query, wrong: "#9år"})
        assert [error["pointer"] for error in answer["errors"]] == [f"?{wrong}"]
