"""The API's document: without warnings, complete, and the same wherever it is read."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from qwixx_service.documents import openapi, views
from qwixx_service.http.errors import MEDIA_TYPE, STATUS

COPY = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(views.openapi())
OPERATIONS = [
    pytest.param(path, operation, id=operation["operationId"]) for path, operation in openapi.operations(DOCUMENT)
]


def test_the_document_is_made_without_a_warning_and_is_valid(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "openapi.yaml"))


def test_the_copy_is_the_one_the_code_gives() -> None:
    assert COPY.read_bytes() == views.openapi(), "run: manage.py document_api"


def test_the_document_served_is_the_copy(http: httpx.Client) -> None:
    answer = http.get("/api/v1/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.content == COPY.read_bytes()
    assert answer.json()["openapi"].startswith("3.1")


def test_the_codes_of_operations_name_operations_and_codes_that_there_are() -> None:
    named = {operation["operationId"] for _, operation in openapi.operations(DOCUMENT)}
    assert set(openapi.CODES) - named == set()
    assert {code for codes in openapi.CODES.values() for code in codes.split()} - set(STATUS) == set()


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_every_operation_names_its_problems(path: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    assert {"400", "429", "500", "503"} <= set(responses)
    own = openapi.CODES.get(operation["operationId"], "").split()
    assert ("401" in responses) == ({} not in operation["security"] or any(STATUS[code] == 401 for code in own))
    assert "404" in responses or "{" not in path
    for status, answer in responses.items():
        assert "X-Request-ID" in answer["headers"]
        assert int(status) < 400 or set(answer["content"]) == {MEDIA_TYPE}


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_every_operation_has_a_summary_and_a_tag(path: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert set(operation["tags"]) <= set(openapi.TAGS)
