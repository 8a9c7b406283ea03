"""`/readyz` while a server is missing, and `manage.py up` with given addresses of servers."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
import redis
from django.conf import settings
from starlette.applications import Starlette
from starlette.routing import Route

from games.engine.engine import Engine
from qwixx_service.embedded import postgres, services, valkey
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.http.middleware.request_ids import RequestIds
from qwixx_service.observability.health import Readiness, Readyz
from tests.embedded.launcher import UP, LaunchedProgram, kill, refusal, running


async def free() -> bool:
    return True


async def busy() -> bool:
    return False


@contextlib.asynccontextmanager
async def readiness_of(
    address: str, has_free_thread: Callable[[], Awaitable[bool]] = free
) -> AsyncIterator[tuple[Readiness, Engine]]:
    """What a process would answer whose engine has this address."""
    engine = Engine(address)
    await engine.open()

    async def opened() -> Engine:
        return engine

    readiness = Readiness(has_free_thread, opened)
    try:
        yield readiness, engine
    finally:
        await readiness.close()
        await engine.close()


async def answer_of(readiness: Readiness) -> httpx.Response:
    application = Starlette(routes=[Route("/readyz", Readyz)])
    application.state.readiness = readiness
    transport = httpx.ASGITransport(RequestIds(application))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        return await http.get("/readyz")


async def problem_of(readiness: Readiness) -> dict[str, object]:
    answer = await answer_of(readiness)
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0
    said: dict[str, object] = answer.json()
    assert (said["status"], said["code"]) == (503, "unavailable")
    return said


async def test_a_process_without_redis_is_degraded_and_stays_in_service(
    conninfo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "unix:///nowhere/valkey.sock")
    async with readiness_of(conninfo) as (readiness, _):
        answer = await answer_of(readiness)
    assert (answer.status_code, answer.json()["status"], answer.json()["redis"]) == (200, "degraded", "unreachable")


@pytest.fixture
def full_redis() -> Iterator[None]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.config_set("maxmemory", 1)
        yield
        client.config_set("maxmemory", 0)


async def test_a_process_whose_redis_is_full_is_degraded(conninfo: str, full_redis: None) -> None:
    async with readiness_of(conninfo) as (readiness, _):
        answer = await answer_of(readiness)
    assert (answer.status_code, answer.json()["status"], answer.json()["redis"]) == (200, "degraded", "full")


def test_a_ticket_that_redis_has_no_room_for_is_unavailable(server: str, full_redis: None) -> None:
    with httpx.Client(base_url=f"{server}/api/v1") as http:
        token = http.post("/players/guests", json={}).json()["token"]
        answer = http.post("/stream-tickets", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_the_service_is_not_ready_without_a_database() -> None:
    async with readiness_of("host=/nowhere dbname=none") as (readiness, _):
        body = await problem_of(readiness)
    assert (body["database"], body["migrations"], body["writes"], body["redis"]) == (
        "unreachable",
        "unknown",
        "refused",
        "ok",
    )


async def test_the_service_is_not_ready_while_no_thread_can_serve_rest(conninfo: str) -> None:
    async with readiness_of(conninfo, busy) as (readiness, _):
        body = await problem_of(readiness)
    assert (body["database"], body["redis"], body["threads"]) == ("ok", "ok", "busy")


async def test_the_service_is_not_ready_while_the_database_is_read_only(conninfo: str) -> None:
    async with readiness_of(f"{conninfo} options='-c default_transaction_read_only=on'") as (readiness, _):
        body = await problem_of(readiness)
    assert (body["database"], body["writes"]) == ("ok", "refused")


async def test_a_process_whose_clock_is_wrong_is_not_ready(conninfo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with readiness_of(conninfo) as (readiness, _):
        now = time.time
        monkeypatch.setattr("games.log.outages.time.time", lambda: now() + 3.0)
        assert (await problem_of(readiness))["clock"] == "wrong"


async def test_a_process_stays_ready_while_the_database_has_no_free_connection(conninfo: str) -> None:
    """Play goes on with the connections that the process has."""
    async with readiness_of(conninfo) as (readiness, _):
        assert (await answer_of(readiness)).status_code == 200
        async with contextlib.AsyncExitStack() as stack:
            with contextlib.suppress(psycopg.OperationalError):
                while True:
                    await stack.enter_async_context(await psycopg.AsyncConnection.connect(conninfo))
            monkeypatched = Readiness(free, readiness._engine)
            assert set((await monkeypatched.parts()).values()) == {"ok"}
            await monkeypatched.close()


async def test_callers_share_one_check_a_second(conninfo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = 0

    async def counted() -> bool:
        nonlocal checks
        checks += 1
        return True

    monkeypatch.setattr("qwixx_service.observability.health.READINESS_EVERY_S", 0.1)
    async with readiness_of(conninfo, counted) as (readiness, _):
        assert len({tuple(parts) for parts in await asyncio.gather(*(readiness.parts() for _ in range(50)))}) == 1
        assert checks == 1
        while checks < 4:
            assert set((await readiness.parts()).values()) == {"ok"}
            await asyncio.sleep(0.01)


@pytest.fixture
def empty_database() -> str:
    """A second database on the server of the tests."""
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as connected:
        connected.execute("DROP DATABASE IF EXISTS qwixx_given WITH (FORCE)")
        connected.execute("CREATE DATABASE qwixx_given")
    return urlsplit(settings.DATABASE_URL)._replace(path="/qwixx_given").geturl()


async def test_the_service_is_not_ready_before_migrations(empty_database: str) -> None:
    async with readiness_of(empty_database) as (readiness, _):
        body = await problem_of(readiness)
    assert (body["database"], body["migrations"], body["redis"]) == ("ok", "missing", "ok")


def test_up_uses_given_servers_and_starts_none(data: Path, empty_database: str) -> None:
    with LaunchedProgram(UP, data, DATABASE_URL=empty_database, REDIS_URL=settings.REDIS_URL) as up:
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
