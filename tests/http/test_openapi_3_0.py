"""The OpenAPI document in version 3.0 says the same as the one in 3.1, and nothing that 3.0 does not know."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema_rs
import pytest
from drf_spectacular.validation import validate_schema

from qwixx_service.documents import openapi_3_0, views

NEW: dict[str, Any] = json.loads(views.openapi(views.LOCAL_URL))
OLD = openapi_3_0.rendered(NEW)
SCHEMAS: dict[str, Any] = OLD["components"]["schemas"]


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for name, value in node.items():
            if name not in ("example", "examples"):
                yield from nodes(value)
    elif isinstance(node, list):
        for item in node:
            yield from nodes(item)


def in_draft_4(node: Any) -> Any:
    """The schemas of 3.0 for a validator: `nullable` is the one keyword that JSON Schema does not have."""
    if isinstance(node, list):
        return [in_draft_4(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {name: in_draft_4(value) for name, value in node.items() if name != "nullable"}
    return {"anyOf": [{"enum": [None]}, schema]} if node.get("nullable") is True else schema


def test_the_document_is_valid() -> None:
    validate_schema(OLD)  # type: ignore[no-untyped-call]


def test_it_has_the_operations_and_schemas_of_the_newer_document() -> None:
    assert OLD["openapi"] == "3.0.3"
    assert SCHEMAS.keys() == NEW["components"]["schemas"].keys()
    names = [
        [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
        for document in (OLD, NEW)
    ]
    assert names[0] == names[1]


def test_it_has_no_keyword_of_the_newer_version() -> None:
    for node in nodes(OLD):
        assert not isinstance(node.get("type"), list)
        assert node.get("type") != "null"
        assert not isinstance(node.get("examples"), list)
        assert "$ref" not in node or len(node) == 1
        assert not {"const", "prefixItems", "patternProperties", "unevaluatedProperties", "$defs"} & node.keys()


SAMPLES = [
    pytest.param(content["schema"], example["value"], id=operation["operationId"])
    for methods in OLD["paths"].values()
    for operation in methods.values()
    for response in operation["responses"].values()
    for kind, content in response.get("content", {}).items()
    if kind == "application/json"
    for example in content.get("examples", {}).values()
    if "value" in example
]


@pytest.mark.parametrize(("schema", "example"), SAMPLES)
def test_examples_of_responses_are_valid(schema: dict[str, Any], example: Any) -> None:
    whole = in_draft_4({**schema, "components": {"schemas": SCHEMAS}})
    jsonschema_rs.Draft4Validator(whole).validate(example)


def test_the_document_is_served(http: httpx.Client) -> None:
    answer, newer = http.get("/api/v1/openapi-3.0.json"), http.get("/api/v1/openapi.json").json()
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json() == openapi_3_0.rendered(newer)
    assert http.get("/api/v1").json()["documents"]["openapi_3_0"] == "/api/v1/openapi-3.0.json"
