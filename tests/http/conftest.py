"""One web process for all tests of this package, and clients of it."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.http.web_server import WebServer, web_server


@pytest.fixture(scope="session")
def service(django_db_setup: None) -> Iterator[WebServer]:
    with web_server() as running:
        yield running


@pytest.fixture
def http(service: WebServer, transactional_db: None) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.address, timeout=30) as client:
        yield client


@pytest.fixture
def ann(http: httpx.Client) -> httpx.Client:
    """The same client, with a guest's token."""
    token = http.post("/api/v1/players/guests", json={"name": "Ann"}).json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    return http


@pytest.fixture
def path(ann: httpx.Client) -> str:
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx", "seats": 3}).json()
    return f"/api/v1/games/{game['id']}"


@pytest.fixture
def connection(service: WebServer) -> Iterator[socket.socket]:
    address = urlsplit(service.address)
    with socket.socket() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.settimeout(20)
        opened.connect((address.hostname, address.port))
        yield opened
