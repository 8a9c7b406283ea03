"""Adds what a reader needs to every operation of the OpenAPI document: descriptions, examples, what must be sent."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from games.api import examples

Json = dict[str, Any]

DESCRIPTIONS: Mapping[str, str] = tomllib.loads((Path(__file__).parent / "descriptions.toml").read_text())
PARAMETERS: Mapping[str, str] = {
    "game_id": "The id of a game.",
    "player_id": "The id of a player.",
    "session_id": "The id of a session, from `GET /sessions`.",
    "invitation_id": "The id of an invitation.",
    "ticket_id": "A place in the queue, from `POST /matchmaking`.",
    "token_id": "The id of a personal access token.",
    "webhook_id": "The id of a webhook.",
    "delivery_id": "The id of a message.",
    "seat": "The number of a seat, from 0.",
    "ruleset": "The key of a ruleset, as in `GET /rulesets`.",
    "metric": "By what the leaderboard is sorted.",
}


def add_texts(result: Json, **_: Any) -> Json:
    """A hook of drf-spectacular."""
    shown = result["components"].setdefault("examples", {})
    for operation in operations(result):
        operation["description"] = DESCRIPTIONS.get(operation["operationId"], operation["summary"] + ".")
        for parameter in operation.get("parameters", ()):
            parameter.setdefault("description", PARAMETERS.get(parameter["name"], ""))
        _require_body(operation, result["components"]["schemas"])
        for content in _successes(operation):
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            if "examples" not in content and name in examples.BY_SCHEMA:
                shown[name] = {"value": examples.BY_SCHEMA[name]}
                content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}
    return result


def operations(document: Json) -> Iterator[Json]:
    for methods in document["paths"].values():
        yield from methods.values()


def _require_body(operation: Json, schemas: Mapping[str, Json]) -> None:
    """A body may be absent if an empty object would do."""
    body = operation.get("requestBody")
    if body:
        schema = schemas[body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]]
        body["required"] = bool(schema.get("required")) or "oneOf" in schema


def _successes(operation: Json) -> Iterator[Json]:
    for status, response in operation["responses"].items():
        if int(status) < 300:
            yield from response.get("content", {}).values()
