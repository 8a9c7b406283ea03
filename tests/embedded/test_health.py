"""What `/readyz` says of a service that cannot serve, and what `up` does with servers it is given."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection

from qwixx_service.embedded import postgres, server_addresses, valkey
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.http.request_ids import RequestIds
from qwixx_service.observability import health
from tests.embedded.launcher import UP, Program, kill, refusal, running


async def problem() -> dict[str, object]:
    transport = httpx.ASGITransport(RequestIds(health.Readyz))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        answer = await http.get("/readyz")
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0
    said: dict[str, object] = answer.json()
    assert (said["status"], said["code"]) == (503, "unavailable")
    return said


@pytest.mark.django_db(transaction=True)
async def test_it_is_not_ready_without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "unix:///nowhere/valkey.sock")
    said = await problem()
    assert (said["database"], said["migrations"], said["redis"]) == ("ok", "ok", "unreachable")


async def test_it_is_not_ready_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    said = await problem()
    assert (said["database"], said["migrations"], said["redis"]) == ("unreachable", "unknown", "ok")


@pytest.fixture
def empty_database() -> str:
    """Beside the tests' own database, on whatever server that is."""
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as connected:
        connected.execute("DROP DATABASE IF EXISTS qwixx_given WITH (FORCE)")
        connected.execute("CREATE DATABASE qwixx_given")
    return urlsplit(settings.DATABASE_URL)._replace(path="/qwixx_given").geturl()


async def test_it_is_not_ready_before_its_migrations(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", "qwixx_given")
    said = await problem()
    assert (said["database"], said["migrations"], said["redis"]) == ("ok", "missing", "ok")


def test_servers_that_are_given_are_used_and_none_is_started(data: Path, empty_database: str) -> None:
    with Program(UP, data, DATABASE_URL=empty_database, REDIS_URL=settings.REDIS_URL) as up:
        assert httpx.get(f"{up.home}/readyz", timeout=30).status_code == 200
        assert not running(up.family(), postgres.PROGRAMS | valkey.PROGRAMS)
        assert not (data / "postgres").exists()
        kill(up.family() | {up.process.pid})


@pytest.mark.parametrize(
    ("name", "url", "sentence"),
    [
        ("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none", "The database cannot be used: "),
        ("REDIS_URL", "redis://127.0.0.1:1", "Redis cannot be used: "),
        ("PORT", "eighty", "PORT=eighty is not a port"),
    ],
)
def test_what_is_given_and_wrong_is_named(data: Path, name: str, url: str, sentence: str) -> None:
    given = {"DATABASE_URL": settings.DATABASE_URL, "REDIS_URL": settings.REDIS_URL} | {name: url}
    assert refusal(UP, data, **given).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "url"),
    [("DATABASE_URL", "postgresql://ann:s3cret@host:many/games"), ("REDIS_URL", "redis://:s3cret@[::1/0")],
)
def test_an_address_that_is_none_is_told_in_one_sentence_without_its_password(data: Path, name: str, url: str) -> None:
    sentence = refusal(UP, data, **{name: url})
    assert sentence.startswith(f"{name} is not the address of ")
    assert "s3cret" not in sentence


@pytest.mark.parametrize(
    ("check", "url"),
    [
        (server_addresses.database, "rubbish"),
        (server_addresses.database, "sqlite:///games.db"),
        (server_addresses.database, "postgresql://ann@host"),
        (server_addresses.database, "postgresql://ann@[::1/games"),
        (server_addresses.database, "postgresql://ann@host/games?nonsense=1"),
        (server_addresses.broker, "rubbish"),
        (server_addresses.broker, "http://host"),
        (server_addresses.broker, "redis://host:many/0"),
        (server_addresses.broker, "redis://host/first"),
        (server_addresses.broker, "unix://"),
    ],
)
def test_what_cannot_be_an_address_is_refused(check: Callable[[str], str], url: str) -> None:
    with pytest.raises(CannotStart, match="is not the address of "):
        check(url)
