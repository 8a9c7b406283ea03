"""Moves the logs of finished games from old partitions to volumes, and drops partitions that are no longer needed.

Each step can be interrupted: a volume counts when it is registered, in one transaction, after it was read back and
compared; a run that was killed before leaves a file that the next run overwrites. A partition is dropped in one
transaction, too, which keeps what no volume has.
"""

import tempfile
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import transaction

from games.game.event_types import in_order
from games.game.events import GENESIS, Event, first_bad_version, stamp
from games.log.archive import partitions, volumes
from games.log.archive.object_stores import ObjectStore
from games.log.archive.partitions import Said
from games.log.archive.statements import execute, rows, value
from games.log.archive.volumes import Frame, VolumeDamaged

GAMES_IN_VOLUME = 5000
GAMES_AT_ONCE = 200  # whose events are in memory
LOCK = "SELECT pg_try_advisory_lock(hashtext('games archive'))"
UNLOCK = "SELECT pg_advisory_unlock(hashtext('games archive'))"

ENDED_GAMES = """
    SELECT id, version, head_hash FROM games_game
     WHERE ended_at < %s AND id >= (SELECT game_id FROM {part} ORDER BY game_id LIMIT 1)
       AND EXISTS (SELECT FROM {part} WHERE game_id = id)
       AND NOT EXISTS (SELECT FROM games_archivedgame WHERE game_id = id)
     ORDER BY id LIMIT %s
"""
LOGS = """
    SELECT game_id, version, type, v, at, coalesce(data, body::jsonb), encode(hash, 'hex') FROM games_event
     WHERE game_id = ANY (%s) ORDER BY game_id, version
"""
NUMBER = "SELECT count(*) FROM games_volume WHERE name LIKE %s"
REGISTER = """
    INSERT INTO games_volume (name, store, digest, size, games, at) VALUES (%s, %s, decode(%s, 'hex'), %s, %s, now())
"""
PLACE = """
    INSERT INTO games_archivedgame (game_id, volume, "offset", length, version, hash,
                                    end_version, end_at, end_v, end_data)
    SELECT frame.game, %s, place, length, frame.version, decode(frame.hash, 'hex'), ended.version, ended.at, ended.v,
           ended.data
      FROM unnest(%s::uuid[], %s::bigint[], %s::int[], %s::int[], %s::text[])
                   AS frame (game, place, length, version, hash)
           LEFT JOIN games_event AS ended ON ended.game_id = frame.game AND ended.type = 'game_ended'
"""
# Receipts are promised for as long as the game: for as long as its log is in the database.
PURGE = """
    DELETE FROM games_receipt USING games_archivedgame AS archived
     WHERE games_receipt.game_id = archived.game_id AND last_version <= archived.version
"""


class Ended(NamedTuple):
    game: UUID
    version: int
    head_hash: bytes


def run(store: ObjectStore, url: str, ended_before: datetime, say: Said = lambda _: None) -> int:
    """Archive every game that ended before this time in a partition older than it; how many."""
    if not value(LOCK):
        raise RuntimeError("another process is archiving")
    try:
        parts = partitions.old(ended_before)
        count = sum(_archive_part(store, url, part, ended_before, say) for part in parts)
        say(f"{execute(PURGE)} receipts of archived games deleted")
    finally:
        value(UNLOCK)
    return count


def _archive_part(store: ObjectStore, url: str, part: str, ended_before: datetime, say: Said) -> int:
    count = 0
    while archived := _archive_volume(store, url, part, ended_before, say):
        count += archived
        say(f"{part}: {archived} games archived")
    partitions.drop(part, say)
    return count


def _archive_volume(store: ObjectStore, url: str, part: str, ended_before: datetime, say: Said) -> int:
    """Write one volume, read it back, and register it."""
    games = [Ended(*row) for row in rows(ENDED_GAMES.format(part=part), ended_before, GAMES_IN_VOLUME)]
    name = part.removeprefix("games_event_")
    name = f"games-{name}-{1 + value(NUMBER, f'games-{name}-%'):04}"
    with tempfile.TemporaryDirectory(prefix="qwixx-archive-") as folder:
        path = Path(folder) / name
        frames = volumes.write(path, _logs(games, say))
        if frames:
            volumes.write_index(path.with_suffix(volumes.INDEX_SUFFIX), frames)
            digest = _upload(store, path)
            _verify(store, path, digest, frames)
            _register(url, path, digest, frames)
    return len(frames)


def _upload(store: ObjectStore, path: Path) -> str:
    """Upload index and checksums first, then the volume: if the volume is there, so are the others."""
    digest, index = volumes.digest(path), path.with_suffix(volumes.INDEX_SUFFIX)
    sums = path.with_suffix(volumes.SUMS_SUFFIX)
    sums.write_text(f"{digest}  {path.name}{volumes.SUFFIX}\n{volumes.digest(index)}  {index.name}\n", "ascii")
    for file, name in ((index, index.name), (sums, sums.name), (path, path.name + volumes.SUFFIX)):
        store.put(name, file)
    return digest


def _verify(store: ObjectStore, path: Path, digest: str, frames: list[Frame]) -> None:
    """What the store gives back has the same bytes, and every frame is the whole log of its game, its chain intact."""
    back = path.with_suffix(".back")
    store.fetch(path.name + volumes.SUFFIX, back)
    if volumes.digest(back) != digest:
        raise VolumeDamaged(f"{path.name} was not stored as it was written")
    with back.open("rb") as file:
        for _ in volumes.logs(file, frames):
            pass


def _register(url: str, path: Path, digest: str, frames: list[Frame]) -> None:
    name, size = path.name + volumes.SUFFIX, path.stat().st_size
    with transaction.atomic():
        execute(REGISTER, name, url, digest, size, len(frames))
        columns = [
            [frame.game for frame in frames],
            [frame.offset for frame in frames],
            [frame.length for frame in frames],
            [frame.version for frame in frames],
            [frame.hash for frame in frames],
        ]
        execute(PLACE, name, *columns)


def _logs(games: list[Ended], say: Said) -> Iterator[list[Event]]:
    """The log of each game as its row says it ends. A log that differs from its row is left where it is."""
    for start in range(0, len(games), GAMES_AT_ONCE):
        portion = {ended.game: ended for ended in games[start : start + GAMES_AT_ONCE]}
        for game, stored in groupby(rows(LOGS, list(portion)), lambda row: row[0]):
            events = list(_chained(str(game), stored))[: portion[game].version]
            tip = portion[game]
            if (len(events), events[-1].hash) == (tip.version, bytes(tip.head_hash).hex()) and not first_bad_version(
                events
            ):
                yield events
            else:
                say(f"the log of {game} is not sound and stays in the database: see verify_log")


def _chained(game: str, stored: Iterator[Any]) -> Iterator[Event]:
    prev = GENESIS
    for _, version, type_, v, at, data, digest in stored:
        yield Event(game, version, type_, v, stamp(at), in_order(type_, msgspec.json.decode(data)), prev, digest)
        prev = digest
