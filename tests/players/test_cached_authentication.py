"""Cached identities and profiles need no SQL, counted on the connection and in the thread."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.db import connection
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from players.api.token_authentication import TokenAuthentication
from players.sessions.directory import directory
from players.sessions.lifecycle import NewSession
from tests.engine.postgres_proxy import PostgresProxy
from tests.players.conftest import digest_of, in_a_thread


@pytest.fixture
async def wire(conninfo: str) -> AsyncIterator[PostgresProxy]:
    """The directory of this process, started on a connection whose round trips are counted."""
    async with PostgresProxy(conninfo).listening() as wire:
        await directory.start(wire.conninfo)
        yield wire
        await directory.stop()


def refuse(_execute: Any, sql: str, *_: Any) -> None:
    raise AssertionError(f"a cached answer queried the database: {sql}")


async def test_an_identity_and_a_profile_cost_one_round_trip_each_and_then_none(
    wire: PostgresProxy, ann: NewSession
) -> None:
    before = wire.round_trips
    await directory.whose(digest_of(ann.token))
    await directory.profiles([ann.player.id])
    round_trips = wire.round_trips - before
    assert round_trips == 2
    for _ in range(1000):
        assert await directory.whose(digest_of(ann.token))
        assert await directory.profiles([ann.player.id])
    assert wire.round_trips - before == round_trips


async def test_a_request_with_a_cached_token_is_authenticated_without_a_query(
    wire: PostgresProxy, ann: NewSession
) -> None:
    await directory.whose(digest_of(ann.token))
    await directory.profiles([ann.player.id])
    request = Request(APIRequestFactory().get("/", headers={"Authorization": f"Bearer {ann.token}"}))

    def authenticate() -> Any:
        with connection.execute_wrapper(refuse):
            directory.profiles_sync([ann.player.id])
            return TokenAuthentication().authenticate(request)

    user, identity = await in_a_thread(authenticate)
    assert user.is_authenticated
    assert (user.pk, identity.session) == (ann.player.id, ann.session)
