"""Players who wait, and matchmakers that bring them together."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from games import runtime
from games.matchmaking import tickets
from games.matchmaking.models import Ticket
from games.matchmaking.tickets import Queue
from players.database.ids import uuid7
from players.models import Player
from tests.server import STOP_TIMEOUT_S, database_url

TWO = Queue("qwixx", "classic", 2, rated=True)
Queued = Callable[..., Ticket]


class Sweeper:
    """A matchmaker's process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.matchmaking.sweeper"],
            env={**os.environ, "DATABASE_URL": database_url()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hears(self, line: str) -> bool:
        """Whether it says so before it ends."""
        assert self.process.stdout
        return self.process.stdout.readline() == line

    def start(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("sweep\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(STOP_TIMEOUT_S)

    def end(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                self.process.communicate(timeout=STOP_TIMEOUT_S)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe and not pipe.closed:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


@pytest.fixture
def new_sweeper(conninfo: str) -> Iterator[Callable[[], Sweeper]]:
    with contextlib.ExitStack() as stack:

        def new() -> Sweeper:
            sweeper = Sweeper()
            stack.callback(sweeper.end)
            return sweeper

        yield new


@pytest.fixture
def here(conninfo: str) -> Iterator[None]:
    """An engine of this process, for sweeps that are made here."""
    yield
    runtime.end()


@pytest.fixture
def queued(conninfo: str) -> Queued:
    """Puts a new player into a queue."""

    def enter(
        rating: float = 1000.0, *, queue: Queue = TWO, waited_s: float = 0.0, bots_after_s: int | None = None
    ) -> Ticket:
        player = Player(id=uuid7(), name="Ann")
        player.save(force_insert=True)
        ticket = tickets.enter(player.pk, queue, bots_after_s, rating, now())
        if waited_s:
            Ticket.objects.filter(pk=ticket.pk).update(created_at=now() - timedelta(seconds=waited_s))
        return ticket

    return enter


def now() -> datetime:
    return datetime.now(UTC)


def game_of(ticket: Ticket) -> UUID | None:
    ticket.refresh_from_db()
    return ticket.game if ticket.status == "matched" else None
