"""Checks what a test receives by the documents: bodies by the OpenAPI document, frames by the AsyncAPI document."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from qwixx_service.documents import views

Json = dict[str, Any]

BASE = "/api/v1"


@cache
def openapi() -> Json:
    found: Json = json.loads(views.openapi(views.LOCAL_URL))
    return found


@cache
def asyncapi() -> Json:
    found: Json = json.loads(views.streams(views.LOCAL_URL))
    return found


@cache
def templates() -> list[tuple[re.Pattern[str], Json]]:
    """The paths of the document; one without parameters comes before one that would match it, too."""
    paths = sorted(openapi()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods) for path, methods in paths]


@cache
def schema_of(method: str, path: str, status: int, media_type: str) -> Any:
    """The validator of a response; None: the document does not have this path or this method of it."""
    methods = next((methods for pattern, methods in templates() if pattern.fullmatch(path)), {})
    if method not in methods:
        return None
    response = methods[method]["responses"].get(str(status))
    assert response is not None, f"{method} {path} is not documented to answer {status}"
    return validator(response["content"][media_type]["schema"], openapi())


def validator(schema: Json, document: Json) -> Any:
    whole = {**schema, "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


@cache
def frames_of(channel: str) -> Mapping[str, list[Any]]:
    """The validators of each type of frame that the service sends on a stream."""
    document = asyncapi()
    (sent,) = [
        operation["messages"]
        for operation in document["operations"].values()
        if operation["action"] == "send" and operation["channel"]["$ref"].endswith(f"/{channel}")
    ]
    found: dict[str, list[Any]] = {}
    for reference in sent:
        message = document["components"]["messages"][reference["$ref"].rpartition("/")[2]]
        found.setdefault(message["name"], []).append(validator(message["payload"], document))
    return found


async def check_response(response: httpx.Response) -> None:
    """An event hook of httpx; a stream is not read."""
    media_type = response.headers.get("content-type", "").partition(";")[0]
    path = response.request.url.path
    if not media_type.endswith("json") or not path.startswith(BASE) or response.request.method == "HEAD":
        return
    found = schema_of(response.request.method.lower(), path, response.status_code, media_type)
    await response.aread()
    if found is not None and media_type != "application/x-ndjson":
        try:
            found.validate(response.json())
        except jsonschema_rs.ValidationError as error:
            raise AssertionError(f"{response.request.method} {path}: {error}") from None


def check_frame(path: str, frame: Json) -> None:
    channel = path.split("?")[0].split("/")[3]
    known = frames_of({"games": "game"}.get(channel, channel)).get(frame["type"])
    assert known, f"{channel} is not documented to send {frame['type']}"
    assert any(each.is_valid(frame) for each in known), frame
