"""One web process for all tests of the platform, and a client that calls it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.platform.served import Served, served


@pytest.fixture(scope="session")
def service(django_db_setup: None) -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture
def http(service: Served, transactional_db: None) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.address, timeout=30) as client:
        yield client


@pytest.fixture
def ann(http: httpx.Client) -> httpx.Client:
    """The same client, with a guest's token."""
    token = http.post("/api/v1/players/guests", json={"name": "Ann"}).json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    return http
