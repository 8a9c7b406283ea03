"""Fixtures: a receiver, an account with a webhook, a clock."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from games import runtime, tasks
from games.webhooks import endpoints
from games.webhooks.endpoints import NewSecret
from games.webhooks.event_payloads import TYPES
from players.models import Player
from tests.webhooks.games import TestClock
from tests.webhooks.receiver import Receiver, ServedReceiver, serving


@pytest.fixture(autouse=True)
def _engine(transactional_db: None) -> Iterator[None]:
    """Its commits request no tasks."""
    runtime.configure(listeners=())
    yield
    runtime.end()
    runtime.configure(listeners=tasks.COMMIT_LISTENERS)


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def served() -> Iterator[ServedReceiver]:
    receiver = Receiver()
    with serving(receiver) as url:
        yield ServedReceiver(receiver, url)


@pytest.fixture
def receiver(served: ServedReceiver) -> Receiver:
    return served.receiver


@pytest.fixture
def ann(transactional_db: None) -> UUID:
    return Player.objects.create(name="Ann").pk


@pytest.fixture
def bob(transactional_db: None) -> UUID:
    return Player.objects.create(name="Bob").pk


@pytest.fixture
def webhook(ann: UUID, served: ServedReceiver, clock: TestClock) -> NewSecret:
    """Ann's."""
    return endpoints.register(ann, served.url, list(TYPES), clock())
