"""The document as it is served, and the generators; those that `make generators` installs are skipped without it."""

import os
from pathlib import Path

import httpx
import pytest

from tests.generators import tools


@pytest.fixture(scope="session")
def document(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("documents") / "openapi.json"
    path.write_bytes(httpx.get(f"{server}/api/v1/openapi.json", timeout=60).content)
    return path


@pytest.fixture(scope="session")
def older_document(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In OpenAPI 3.0."""
    path = tmp_path_factory.mktemp("documents") / "openapi-3.0.json"
    path.write_bytes(httpx.get(f"{server}/api/v1/openapi-3.0.json", timeout=60).content)
    return path


@pytest.fixture(scope="session")
def streams(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("documents") / "asyncapi.json"
    path.write_bytes(httpx.get(f"{server}/api/v1/asyncapi.json", timeout=60).content)
    return path


@pytest.fixture(scope="session")
def installed() -> None:
    if "GENERATORS" not in os.environ:
        pytest.skip("`make generators` installs and runs this")
    tools.install()


@pytest.fixture(scope="session")
def node(installed: None) -> None:
    if "node" in tools.missing():
        pytest.skip(tools.missing()["node"])


@pytest.fixture(scope="session")
def java(installed: None) -> str:
    """The program of openapi-generator."""
    if "java" in tools.missing():
        pytest.skip(tools.missing()["java"])
    return tools.jar()
