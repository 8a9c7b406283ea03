"""`/readyz` while a server is missing, and `manage.py up` with given addresses of servers."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection
from starlette.applications import Starlette
from starlette.routing import Route

from games.runtime import conninfo
from qwixx_service.embedded import postgres, services, valkey
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.http.middleware.request_ids import RequestIds
from qwixx_service.observability.health import Readiness, Readyz
from tests.embedded.launcher import UP, Program, kill, refusal, running


async def free() -> bool:
    return True


async def busy() -> bool:
    return False


async def readiness_problem(has_free_thread: Callable[[], Awaitable[bool]] = free) -> dict[str, object]:
    application = Starlette(routes=[Route("/readyz", Readyz)])
    application.state.readiness = readiness = Readiness(has_free_thread)
    transport = httpx.ASGITransport(RequestIds(application))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        answer = await http.get("/readyz")
    await readiness.close()
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


@pytest.mark.django_db(transaction=True)
async def test_the_service_is_not_ready_while_no_thread_can_serve_rest() -> None:
    body = await readiness_problem(busy)
    assert (body["database"], body["redis"], body["threads"]) == ("ok", "ok", "busy")


@pytest.mark.django_db(transaction=True)
async def test_callers_share_one_check_a_second_on_kept_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = 0

    async def counted() -> bool:
        nonlocal checks
        checks += 1
        return True

    monkeypatch.setattr("qwixx_service.observability.health.READINESS_EVERY_S", 0.1)
    others = await readiness_connections()
    readiness = Readiness(counted)
    assert len({tuple(parts) for parts in await asyncio.gather(*(readiness.parts() for _ in range(50)))}) == 1
    assert checks == 1
    kept = await readiness_connections() - others
    assert len(kept) == 1
    while checks < 4:
        assert set((await readiness.parts()).values()) == {"ok"}
        await asyncio.sleep(0.01)
    assert await readiness_connections() - others == kept
    await readiness.close()


async def readiness_connections() -> set[int]:
    """The connections to the database whose last query was that of a check, those of running web processes included."""
    async with await psycopg.AsyncConnection.connect(conninfo()) as connected:
        found = await connected.execute(
            "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT app, name FROM django_migrations%'"
        )
        return {pid for (pid,) in await found.fetchall()}


@pytest.mark.django_db(transaction=True)
async def test_a_kept_connection_that_broke_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx_service.observability.health.READINESS_EVERY_S", 0.0)
    readiness = Readiness(free)
    assert (await readiness.parts())["database"] == "ok"
    async with await psycopg.AsyncConnection.connect(conninfo(), autocommit=True) as connected:
        await connected.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query LIKE 'SELECT app, name FROM django_migrations%' AND pid <> pg_backend_pid()"
        )
    assert (await readiness.parts())["database"] == "ok"
    await readiness.close()


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
