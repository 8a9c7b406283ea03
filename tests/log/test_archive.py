"""Games that ended long ago leave the database for volumes, and everything about them is answered as before."""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import zstandard
from django.core.management import CommandError, call_command

from games import commands, runtime, tasks
from games.commands import CommandContext
from games.game.aggregate import GameState
from games.log.archive import archiver, partitions
from games.log.archive.archived_logs import ArchiveReader, archive_reader
from games.log.archive.object_stores import FolderStore, ObjectStore, StoreUnavailable, open_store
from games.log.archive.places import places
from games.log.rows import Caller
from games.rules.refused import Refused
from players.models import Player
from tests.log.object_server import KEY_ID, SECRET, ObjectServer, object_server
from tests.log.old_games import ARCHIVED_PARTS, MARCH, PART, answers, partition, run, start
from tests.verifier.both_verifiers import BothVerifiers
from tests.webhooks.games import TestClock, resign, step

CUTOFF = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _march(transactional_db: None) -> Iterator[None]:
    runtime.configure(listeners=())
    with partition():
        yield
        runtime.end()
    runtime.configure(listeners=tasks.COMMIT_LISTENERS)


@pytest.fixture
def clock() -> TestClock:
    return TestClock(MARCH)


@pytest.fixture
def people() -> list[UUID]:
    return [Player.objects.create(name=name, email=f"{name}@example.org").pk for name in ("ann", "bob")]


@pytest.fixture
def games(clock: TestClock, people: list[UUID]) -> list[GameState]:
    """One played to its end, one of Qwinto that was resigned, and one that goes on for ever."""
    played = step(clock, start(clock, *people), 400)
    resigned = resign(clock, step(clock, start(clock, *people, ruleset="qwinto", visibility="private"), 9), people[1])
    going_on = step(clock, start(clock, *people, visibility="private", clock=None), 12)
    assert (played.is_over, resigned.is_over, going_on.is_over) == (True, True, False)
    return [played, resigned, going_on]


def archive(url: str, *, older_than: int = 90) -> str:
    out = io.StringIO()
    call_command("archive", "--older-than", str(older_than), "--to", url, stdout=out)
    return out.getvalue()


def parts() -> list[str]:
    return [row[0] for row in run(ARCHIVED_PARTS)]


def in_memory_nothing() -> None:
    """As in a process that has just started."""
    archive_reader.forget()


def test_an_archived_game_answers_as_before(games: list[GameState], people: list[UUID], tmp_path: Path) -> None:
    before = answers(games, people)
    assert run("SELECT count(DISTINCT game_id) FROM games_receipt") == [(3,)]
    said = archive(str(tmp_path))
    assert "2 games archived" in said
    assert PART not in parts()
    assert run("SELECT DISTINCT game_id, tableoid::regclass::text FROM games_event") == [
        (UUID(games[2].id), "games_event_default")
    ]
    assert run("SELECT DISTINCT game_id FROM games_receipt") == [(UUID(games[2].id),)]
    in_memory_nothing()
    assert answers(games, people) == before
    assert "3 games are sound" in verified()
    assert archive(str(tmp_path)).endswith("0 games archived.\n")


def verified() -> str:
    out = io.StringIO()
    call_command("verify_log", stdout=out)
    return out.getvalue()


def test_a_volume_is_read_without_the_service(games: list[GameState], tmp_path: Path) -> None:
    archive(str(tmp_path))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"games-2025_03-0001{suffix}" for suffix in (".index.ndjson", ".ndjson.zst", ".sha256")]
    volume = tmp_path / names[1]
    verifiers = BothVerifiers()
    try:
        for line in (tmp_path / names[0]).read_text().splitlines():
            entry = json.loads(line)
            frame = volume.read_bytes()[entry["offset"] : entry["offset"] + entry["length"]]
            report = verifiers.report(zstandard.ZstdDecompressor().decompress(frame))
            assert report["ok"], report
    finally:
        verifiers.close()
    whole = io.BytesIO(volume.read_bytes())
    text = zstandard.ZstdDecompressor().stream_reader(whole, read_across_frames=True).read()
    assert text.count(b'"format":"qwixx-log"') == 2


def test_what_happens_to_a_game_after_it_was_archived_follows_its_log(
    games: list[GameState], people: list[UUID], clock: TestClock, tmp_path: Path
) -> None:
    archive(str(tmp_path))
    in_memory_nothing()
    caller = CommandContext(Caller(people[0]), clock.wait(days=1))
    game_id = UUID(games[0].id)
    runtime.call(lambda engine: _forgotten(engine, game_id))
    runtime.call(lambda engine: commands.rematch(engine, game_id, caller))
    runtime.call(lambda engine: _forgotten(engine, game_id))
    runtime.call(lambda engine: commands.void(engine, game_id, "cheating", caller))
    runtime.call(lambda engine: _forgotten(engine, game_id))
    log = runtime.call(lambda engine: engine.log(game_id))
    assert [event.version for event in log] == [*range(1, games[0].version + 3)]
    assert [event.type for event in log[-2:]] == ["rematch_created", "game_voided"]
    tail = runtime.call(lambda engine: engine.log(game_id, games[0].version, 1))
    assert tail == log[-2:-1]
    assert runtime.call(lambda engine: engine.log(game_id, games[0].version - 2, 3)) == log[-4:-1]
    assert "are sound" in verified()
    assert archive(str(tmp_path)).endswith("0 games archived.\n")
    assert "are sound" in verified()


async def _forgotten(engine: Any, game: UUID) -> None:
    engine.forget(game)


def test_a_log_is_read_without_its_snapshot(games: list[GameState], people: list[UUID], tmp_path: Path) -> None:
    before = answers(games, people)
    archive(str(tmp_path))
    in_memory_nothing()
    run("DELETE FROM games_snapshot")
    assert answers(games, people) == before
    assert "are sound" in verified()


class Killed(BaseException):
    """The process ends here."""


class KillingStore:
    """A folder that ends the process in its n-th call, before or after it has worked."""

    def __init__(self, folder: Path, calls: int, *, has_worked: bool) -> None:
        self._folder, self._left, self._has_worked = FolderStore(folder), calls, has_worked

    def _counted(self, call: Any, *arguments: Any) -> Any:
        self._left -= 1
        if self._left < 0 and not self._has_worked:
            raise Killed
        result = call(*arguments)
        if self._left < 0:
            raise Killed
        return result

    def put(self, name: str, path: Path) -> None:
        self._counted(self._folder.put, name, path)

    def fetch(self, name: str, path: Path) -> None:
        self._counted(self._folder.fetch, name, path)

    def read(self, name: str, offset: int, length: int) -> bytes:
        return self._folder.read(name, offset, length)


def killed(store: ObjectStore, folder: Path, lines: int = 1000) -> None:
    """Run it until the store, or a line that it says, ends it."""
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if len(said) > lines:
            raise Killed

    with pytest.raises(Killed):
        archiver.run(store, str(folder), CUTOFF, say)


def test_a_run_that_is_killed_at_any_step_loses_nothing_and_the_next_one_completes(
    games: list[GameState], people: list[UUID], tmp_path: Path
) -> None:
    before = answers(games, people)
    for has_worked in (False, True):
        for calls in range(4):  # index, checksums, volume; read back
            killed(KillingStore(tmp_path, calls, has_worked=has_worked), tmp_path)
            in_memory_nothing()
            assert PART in parts()
            assert run("SELECT count(*) FROM games_archivedgame") == [(0,)]
            assert answers(games, people) == before
    for lines, is_dropped in ((0, False), (0, True), (0, True)):  # registered; dropped; receipts deleted
        killed(FolderStore(tmp_path), tmp_path, lines)
        in_memory_nothing()
        assert (PART not in parts()) == is_dropped
        assert answers(games, people) == before
    archive(str(tmp_path))
    assert answers(games, people) == before
    assert "3 games are sound" in verified()
    assert len(list(tmp_path.iterdir())) == 3


def test_a_volume_that_is_stored_damaged_is_not_used(
    games: list[GameState], people: list[UUID], tmp_path: Path
) -> None:
    class Damaging(FolderStore):
        def put(self, name: str, path: Path) -> None:
            super().put(name, path)
            if name.endswith(".zst"):
                with (tmp_path / name).open("r+b") as file:
                    file.seek(100)
                    file.write(b"x")

    with pytest.raises(Exception, match="was not stored as it was written"):
        archiver.run(Damaging(tmp_path), str(tmp_path), CUTOFF)
    assert PART in parts()
    assert "2 games archived" in archive(str(tmp_path))


@pytest.mark.parametrize("damage", ["a byte", "another log", "no file"])
def test_a_volume_that_was_damaged_later_gives_no_wrong_answer(
    games: list[GameState], people: list[UUID], tmp_path: Path, damage: str
) -> None:
    archive(str(tmp_path))
    in_memory_nothing()
    volume = next(tmp_path.glob("*.zst"))
    first, second = (place for place in places([UUID(game.id) for game in games]))
    if damage == "no file":
        volume.unlink()
    elif damage == "another log":
        run('UPDATE games_archivedgame SET "offset" = %s, length = %s', second.offset, second.length)
        first, second = second, first
    else:
        content = bytearray(volume.read_bytes())
        content[second.offset + 40] ^= 1
        volume.write_bytes(content)
    with pytest.raises(Refused, match="unavailable"):
        runtime.call(lambda engine: engine.log(second.game))
    with pytest.raises(CommandError, match="are not sound"):
        verified()
    assert str(second.game) in "".join(map(str, places([second.game])))


def test_the_partition_waits_while_too_much_of_it_is_not_archived(
    games: list[GameState], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "MOVED_AT_MOST", 5)
    assert f"{PART} stays" in archive(str(tmp_path))
    assert PART in parts()
    monkeypatch.undo()
    assert f"{PART} dropped" in archive(str(tmp_path))


def test_a_game_that_goes_on_after_its_partition_was_dropped_is_archived_after_its_end(
    games: list[GameState], people: list[UUID], clock: TestClock, tmp_path: Path
) -> None:
    archive(str(tmp_path))
    clock.wait(days=3)
    over = resign(clock, step(clock, games[2], 5), people[0])
    before = answers([*games[:2], over], people)
    assert "games_event_default: 1 games archived" in archive(str(tmp_path))
    assert run("SELECT count(*) FROM games_event") == [(0,)]
    in_memory_nothing()
    assert answers([*games[:2], over], people) == before


def test_games_that_ended_lately_stay(games: list[GameState], people: list[UUID], tmp_path: Path) -> None:
    days = (datetime.now(UTC) - MARCH) // timedelta(days=1)
    assert archive(str(tmp_path), older_than=days + 2).endswith("0 games archived.\n")
    assert PART in parts()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--older-than", "30", "--to", "/tmp/none"], "at least 31 days"),
        (["--older-than", "90"], "Name the archive"),
        (["--older-than", "90", "--to", "ftp://host/folder"], "An archive is a folder"),
        (["--older-than", "90", "--to", "s3://?endpoint=https://host"], "A bucket is s3://"),
    ],
)
def test_an_archive_that_cannot_be_is_refused_in_a_sentence(arguments: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("archive", *arguments)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectServer]:
    pytest.importorskip("minio", reason="the extra `archive` is not installed")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with object_server() as server:
        yield server


def test_a_bucket_serves_as_an_archive(games: list[GameState], people: list[UUID], bucket: ObjectServer) -> None:
    before = answers(games, people)
    assert "2 games archived" in archive(bucket.bucket())
    assert sorted(bucket.objects) == [
        f"/logs/games/games-2025_03-0001{suffix}" for suffix in (".index.ndjson", ".ndjson.zst", ".sha256")
    ]
    in_memory_nothing()
    assert answers(games, people) == before


def test_a_bucket_that_refuses_or_fails_stops_the_run_and_nothing_is_lost(
    games: list[GameState], people: list[UUID], bucket: ObjectServer
) -> None:
    before = answers(games, people)
    for script in ([403], [200, 0, 0, 0], [200, 200, 200, 404], [200, 200, 200, 503, 503, 503]):
        bucket.script[:] = script
        with pytest.raises(CommandError, match=r"cannot be (written|read)"):
            archive(bucket.bucket())
        assert PART in parts()
    bucket.script.clear()
    assert "2 games archived" in archive(bucket.bucket())
    in_memory_nothing()
    bucket.script[:] = [403]
    with pytest.raises(Refused, match="unavailable"):
        runtime.call(lambda engine: engine.log(UUID(games[0].id)))
    bucket.script.clear()
    assert answers(games, people) == before


def test_a_bucket_with_a_wrong_key_is_refused(bucket: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    with pytest.raises(StoreUnavailable, match="SignatureDoesNotMatch"):
        open_store(bucket.bucket("other")).read("name", 0, 10)


def test_a_reader_keeps_the_last_logs_in_memory(games: list[GameState], tmp_path: Path) -> None:
    archive(str(tmp_path))
    reader = ArchiveReader(open_store, size=1)
    first, second = places([UUID(game.id) for game in games])
    kept = reader.log(first)
    next(tmp_path.glob("*.zst")).unlink()
    assert reader.log(first) is kept
    with pytest.raises(Refused):
        reader.log(second)
