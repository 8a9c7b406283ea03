"""`/readyz` while a server is missing, and `manage.py up` with given addresses of servers."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection

from qwixx_service.embedded import postgres, services, valkey
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.http.request_ids import RequestIds
from qwixx_service.observability import health
from tests.embedded.launcher import UP, Program, kill, refusal, running


async def readiness_problem() -> dict[str, object]:
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
async def test_the_service_is_not_ready_without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "unix:///nowhere/valkey.sock")
    body = await readiness_problem()
    assert (body["database"], body["migrations"], body["redis"]) == ("ok", "ok", "unreachable")


async def test_the_service_is_not_ready_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    body = await readiness_problem()
    assert (body["database"], body["migrations"], body["redis"]) == ("unreachable", "unknown", "ok")


@pytest.fixture
def empty_database() -> str:
    """A second database on the server of the tests."""
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as connected:
        connected.execute("DROP DATABASE IF EXISTS qwixx_given WITH (FORCE)")
        connected.execute("CREATE DATABASE qwixx_given")
    return urlsplit(settings.DATABASE_URL)._replace(path="/qwixx_given").geturl()


async def test_the_service_is_not_ready_before_migrations(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", "qwixx_given")
    body = await readiness_problem()
    assert (body["database"], body["migrations"], body["redis"]) == ("ok", "missing", "ok")


def test_up_uses_given_servers_and_starts_none(data: Path, empty_database: str) -> None:
    with Program(UP, data, DATABASE_URL=empty_database, REDIS_URL=settings.REDIS_URL) as up:
        assert httpx.get(f"{up.home}/readyz", timeout=30).status_code == 200
        assert not running(up.family(), postgres.PROGRAMS | valkey.PROGRAMS)
        assert not (data / "postgres").exists()
        kill(up.family() | {up.process.pid})


@pytest.mark.parametrize(
    ("name", "url", "sentence"),
    [
        ("DATABASE_URL", "postgresql://ann@127.0.0.1:1/none", "The database cannot be used: "),
        ("REDIS_URL", "redis://127.0.0.1:1", "Redis cannot be used: "),
        ("PORT", "eighty", "PORT=eighty is not a port"),
    ],
)
def test_up_names_a_setting_that_cannot_be_used(data: Path, name: str, url: str, sentence: str) -> None:
    given = {"DATABASE_URL": settings.DATABASE_URL, "REDIS_URL": settings.REDIS_URL} | {name: url}
    assert refusal(UP, data, **given).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "url"),
    [("DATABASE_URL", "postgresql://ann:s3cret@host:many/games"), ("REDIS_URL", "redis://:s3cret@[::1/0")],
)
def test_up_rejects_a_malformed_address_in_one_sentence_without_its_password(data: Path, name: str, url: str) -> None:
    sentence = refusal(UP, data, **{name: url})
    assert sentence.startswith(f"{name} is not the address of ")
    assert "s3cret" not in sentence


@pytest.mark.parametrize(
    ("check", "url"),
    [
        (services.checked_database_url, "rubbish"),
        (services.checked_database_url, "sqlite:///games.db"),
        (services.checked_database_url, "postgresql://ann@host"),
        (services.checked_database_url, "postgresql://ann@[::1/games"),
        (services.checked_database_url, "postgresql://ann@host/games?nonsense=1"),
        (services.checked_redis_url, "rubbish"),
        (services.checked_redis_url, "http://host"),
        (services.checked_redis_url, "redis://host:many/0"),
        (services.checked_redis_url, "redis://host/first"),
        (services.checked_redis_url, "unix://"),
    ],
)
def test_malformed_addresses_are_rejected(check: Callable[[str], str], url: str) -> None:
    with pytest.raises(CannotStart, match="is not the address of "):
        check(url)
