"""Every query parameter is validated, also beside others."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import Json, Player

DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text())
VALID = {"limit": "7", "at": "2026-01-31", "after": "0", "wait": "1", "version": "1"}
NOT_KNOWN_BEFORE = {"ticket", "cursor"}  # a valid value of the others is known before the test
PATHS = {"ruleset": "qwixx", "metric": "wins"}


def lists() -> Iterator[tuple[str, list[Json]]]:
    for path, operations in DOCUMENT["paths"].items():
        parameters = [each for each in operations.get("get", {}).get("parameters", ()) if each["in"] == "query"]
        if parameters and not path.endswith("/stream"):  # which never ends
            yield path, parameters


CASES = [(path, each["name"]) for path, parameters in lists() for each in parameters if each["name"] != "ticket"]


def valid(parameter: Json) -> str:
    return str(parameter["schema"].get("enum", [VALID.get(parameter["name"])])[-1])


async def address(path: str, ann: Player) -> str:
    game = (await ann.create())["id"] if "{game_id}" in path else ""
    filled: Any = path.format(game_id=game, player_id=ann.player["id"], **PATHS)
    return str(filled).removeprefix("/api/v1")


@pytest.mark.parametrize(("path", "wrong"), CASES)
async def test_an_invalid_parameter_is_refused_beside_valid_ones(ann: Player, path: str, wrong: str) -> None:
    parameters = dict(lists())[path]
    query = {each["name"]: valid(each) for each in parameters if each["name"] not in NOT_KNOWN_BEFORE}
    where = await address(path, ann)
    await ann.get(where, 200, params=query)
    answer = await ann.get(where, 400, params={**query, wrong: "#9år"})
    assert [error["pointer"] for error in answer["errors"]] == [f"?{wrong}"]
