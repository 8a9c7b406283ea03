"""Laws of the API documents: complete, typed, and every example in them is valid."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from qwixx_service.documents import views
from qwixx_service.documents.operation_texts import DESCRIPTIONS, operations

Json = dict[str, Any]

OPENAPI: Json = json.loads(views.openapi(views.LOCAL_URL))
ASYNCAPI: Json = json.loads(views.streams(views.LOCAL_URL))
NULL = {"type": "null"}
OPERATIONS = [pytest.param(each, id=each["operationId"]) for each in operations(OPENAPI)]
SCHEMAS = {**ASYNCAPI["components"]["schemas"], **OPENAPI["components"]["schemas"]}


def valid(document: Json, schema: Json, value: Any) -> None:
    whole = {**schema, "components": document["components"]}
    jsonschema_rs.Draft202012Validator(whole, validate_formats=True).validate(value)


def schemas_in(value: Any) -> Iterator[Json]:
    if isinstance(value, list):
        for each in value:
            yield from schemas_in(each)
    elif isinstance(value, dict):
        yield value
        for key, each in value.items():
            if key not in ("example", "examples", "mapping"):
                yield from schemas_in(each)


def contents(operation: Json) -> Iterator[Json]:
    for status, response in operation["responses"].items():
        if int(status) < 300:
            yield from response.get("content", {}).values()
    yield from operation.get("requestBody", {}).get("content", {}).values()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_described_and_has_valid_examples(operation: Json) -> None:
    assert operation["description"].startswith(DESCRIPTIONS[operation["operationId"]])
    assert re.fullmatch("[a-z]+[A-Z][A-Za-z]+", operation["operationId"])
    for parameter in operation.get("parameters", ()):
        assert parameter["description"]
    for content in contents(operation):
        assert content["examples"]
        for name, example in content["examples"].items():
            value = example["value"] if "value" in example else OPENAPI["components"]["examples"][name]["value"]
            valid(OPENAPI, content["schema"], value)


def test_every_description_belongs_to_an_operation() -> None:
    assert set(DESCRIPTIONS) == {each["operationId"] for each in operations(OPENAPI)}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_has_a_plain_name_a_description_and_no_default(name: str) -> None:
    assert re.fullmatch("[A-Z][A-Za-z]+", name)
    schema = SCHEMAS[name]
    assert schema["description"].endswith(".")
    assert sum(other.lower() == name.lower() for other in SCHEMAS) == 1
    for part in schemas_in(schema):
        assert "default" not in part or "type" not in part
        assert part.get("anyOf", [None, NULL])[1:] == [NULL]
        assert "allOf" not in part
        assert "" not in part.get("enum", ())


def test_a_schema_of_both_documents_is_the_same_in_both() -> None:
    for name, schema in ASYNCAPI["components"]["schemas"].items():
        other = OPENAPI["components"]["schemas"].get(name, schema)
        assert {**other, "discriminator": None} == {**schema, "discriminator": None}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_alternatives_are_told_apart_by_a_member(name: str) -> None:
    for part in schemas_in(OPENAPI["components"]["schemas"].get(name, {})):
        if "oneOf" in part:
            mapping = part["discriminator"]["mapping"]
            assert sorted(mapping.values()) == sorted(each["$ref"] for each in part["oneOf"])


@pytest.mark.parametrize("name", sorted(ASYNCAPI["components"]["messages"]))
def test_a_frame_has_a_valid_sample(name: str) -> None:
    message = ASYNCAPI["components"]["messages"][name]
    assert message["summary"]
    for sample in message["examples"]:
        valid(ASYNCAPI, message["payload"], sample["payload"])
        assert sample["payload"]["type"] == message["name"]


def test_the_documents_name_the_address_of_the_service() -> None:
    address = "https://play.example.org"
    assert json.loads(views.openapi(address))["servers"] == [{"url": address}]
    server = json.loads(views.streams(address))["servers"]["service"]
    assert (server["host"], server["protocol"]) == ("play.example.org", "wss")
