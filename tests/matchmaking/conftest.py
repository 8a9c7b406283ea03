"""Fixtures: players in the matchmaking queue, and matchmakers in processes of their own."""

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
from tests.server import database_url

TWO_SEATS = Queue("qwixx", "classic", 2, rated=True)
TIMEOUT_S = 15
Enqueue = Callable[..., Ticket]


class MatchmakerProcess:
    """A process that sweeps once for every line it is sent."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.matchmaking.matchmaker_process"],
            env={**os.environ, "DATABASE_URL": database_url()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prints(self, line: str) -> bool:
        """Whether this is the next line of its output; False if it ends."""
        assert self.process.stdout
        return self.process.stdout.readline() == line

    def start_sweep(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("sweep\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT_S)

    def stop(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                self.process.communicate(timeout=TIMEOUT_S)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe and not pipe.closed:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


@pytest.fixture
def start_matchmaker(conninfo: str) -> Iterator[Callable[[], MatchmakerProcess]]:
    with contextlib.ExitStack() as stack:

        def start() -> MatchmakerProcess:
            process = MatchmakerProcess()
            stack.callback(process.stop)
            assert process.prints("ready\n")
            return process

        yield start


@pytest.fixture
def local_engine(conninfo: str) -> Iterator[None]:
    """Ends the engine that sweeps of the test process start."""
    yield
    runtime.end()


@pytest.fixture
def enqueue(conninfo: str) -> Enqueue:
    """Puts a new player into a queue."""

    def enter(
        rating: float = 1000.0, *, queue: Queue = TWO_SEATS, waited_s: float = 0.0, bots_after_s: int | None = None
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
