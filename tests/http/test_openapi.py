"""The OpenAPI document: without warnings, complete, and equal to its copy in docs/."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from qwixx_service.documents import openapi, problem_responses, views
from qwixx_service.http.errors import MEDIA_TYPE, STATUS

COPY = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(views.openapi(views.LOCAL_URL))
ALL = [(path, operation) for path, methods in DOCUMENT["paths"].items() for operation in methods.values()]
OPERATIONS = [pytest.param(path, operation, id=operation["operationId"]) for path, operation in ALL]


def test_the_document_is_valid_and_generated_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "openapi.yaml"))


def test_the_copy_in_docs_is_up_to_date() -> None:
    assert COPY.read_bytes() == views.openapi(views.LOCAL_URL), "run: manage.py document_api"


def test_the_document_served_is_the_copy(http: httpx.Client) -> None:
    response = http.get("/api/v1/openapi.json")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    (server,) = response.json()["servers"]
    assert response.content == views.openapi(server["url"])
    assert response.json()["openapi"].startswith("3.1")


def test_the_table_of_codes_names_known_operations_and_codes() -> None:
    named = {operation["operationId"] for _, operation in ALL}
    assert set(problem_responses.CODES) - named == set()
    assert {code for codes in problem_responses.CODES.values() for code in codes.split()} - set(STATUS) == set()


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_every_operation_lists_its_problems(path: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    assert {"400", "429", "500", "503"} <= set(responses)
    own = problem_responses.CODES.get(operation["operationId"], "").split()
    assert ("401" in responses) == ({} not in operation["security"] or any(STATUS[code] == 401 for code in own))
    assert "404" in responses or "{" not in path
    for status, response in responses.items():
        assert "X-Request-ID" in response["headers"]
        assert int(status) < 400 or set(response["content"]) == {MEDIA_TYPE}


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_every_operation_has_a_summary_and_a_tag(path: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert set(operation["tags"]) <= set(openapi.TAGS)
