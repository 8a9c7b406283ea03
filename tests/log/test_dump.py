"""The monthly dump: the public finished games of a month, verifiable, with checksums, the same bytes each time."""

import hashlib
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import zstandard
from django.core.management import CommandError, call_command

from games import commands, runtime, tasks
from games.commands import CommandContext
from games.game.aggregate import GameState
from games.log.rows import Caller
from games.management.monthly_dump import month_of
from players.models import Player
from tests.verifier.both_verifiers import BothVerifiers
from tests.webhooks.games import TestClock, resign, start, step

PUBLIC: dict[str, Any] = {"visibility": "public", "clock": {"roll_s": 20, "answer_s": 45}}
MONTH, NAME = "2026-01", "qwixx-games-2026-01.ndjson.zst"


@pytest.fixture(autouse=True)
def _engine(transactional_db: None) -> Iterator[None]:
    runtime.configure(listeners=())
    yield
    runtime.end()
    runtime.configure(listeners=tasks.COMMIT_LISTENERS)


@pytest.fixture
def clock() -> TestClock:
    return TestClock(datetime(2026, 1, 15, 12, tzinfo=UTC))


@pytest.fixture
def people() -> list[UUID]:
    return [Player.objects.create(name=name, email=f"{name}@example.org").pk for name in ("ann", "bob")]


def dump(folder: Path) -> bytes:
    call_command("dump", MONTH, "--folder", str(folder), stdout=io.StringIO())
    return (folder / NAME).read_bytes()


def exports(dumped: bytes) -> list[bytes]:
    """Each game begins with its header."""
    found: list[bytes] = []
    for line in zstandard.ZstdDecompressor().stream_reader(dumped).read().splitlines(keepends=True):
        if b'"format"' in line:
            found.append(b"")
        found[-1] += line
    return found


def played(clock: TestClock, people: list[UUID], /, **settings: Any) -> GameState:
    """A game that is played to its end."""
    game = start(clock, *people, **settings)
    while not game.is_over:
        game = step(clock, game, 50)
    return game


def test_a_dump_has_the_public_finished_games_of_its_month_and_they_verify(
    clock: TestClock, people: list[UUID], tmp_path: Path
) -> None:
    games = [played(clock, people), played(clock, people, ruleset="qwinto", **PUBLIC)]
    games[0] = played(clock, people, **PUBLIC)
    sealed = step(clock, start(clock, *people, **PUBLIC), 2)  # one answer is sealed
    games.append(resign(clock, sealed, people[0]))
    start(clock, *people, **PUBLIC)
    clock.now = datetime(2026, 2, 1, tzinfo=UTC)
    resign(clock, start(clock, *people, **PUBLIC), people[1])
    found = exports(dump(tmp_path))
    headers = [json.loads(export.partition(b"\n")[0]) for export in found]
    expected = sorted(games, key=lambda game: game.at)
    assert [header["game"] for header in headers] == [game.id for game in expected]
    verifiers = BothVerifiers()
    try:
        assert [verifiers.report(export)["ok"] for export in found] == [True] * 3
    finally:
        verifiers.close()
    assert b"example.org" not in b"".join(found)


def test_the_same_month_gives_the_same_bytes_whatever_happened_to_its_games_since(
    clock: TestClock, people: list[UUID], tmp_path: Path
) -> None:
    games = [resign(clock, start(clock, *people, **PUBLIC), people[seat]) for seat in (0, 1)]
    first = dump(tmp_path)
    caller = CommandContext(Caller(people[0]), clock.wait(days=40))
    runtime.call(lambda engine: commands.rematch(engine, UUID(games[0].id), caller))
    runtime.call(lambda engine: commands.void(engine, UUID(games[1].id), "cheating", caller))
    assert dump(tmp_path) == first
    assert dump(tmp_path / "again") == first
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  qwixx-games-2025-12.ndjson.zst\n")
    dump(tmp_path)
    own = f"{hashlib.sha256(first).hexdigest()}  {NAME}"
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert lines == [f"{'0' * 64}  qwixx-games-2025-12.ndjson.zst", own]
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["SHA256SUMS", NAME]


@pytest.mark.parametrize("month", ["2026-13", "2026-1", "January", "9999-12", datetime.now(UTC).strftime("%Y-%m")])
def test_a_month_that_is_none_or_not_over_is_refused(month: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="month"):
        call_command("dump", month, "--folder", str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_the_last_month_of_a_year_ends_with_the_year() -> None:
    assert month_of("2026-12") == (datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
