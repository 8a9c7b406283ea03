"""A volume: the logs of some games as zstd frames one after the other, each an export that the verifiers check.

`zstd --decompress` reads a volume as one text; the index names the place of each game, so that one frame can be read.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
import zstandard

from games.game.event_types import in_order
from games.game.events import GENESIS, Data, Event, canonical, first_bad_version
from games.game.values import Value

LEVEL = 3  # hashes and nonces are most of what is left: level 12 gives the same bytes in ten times the time
LONGEST_LOG = 64 << 20  # bytes of one game's text: what a damaged frame may make a reader allocate
SUFFIX, INDEX_SUFFIX, SUMS_SUFFIX = ".ndjson.zst", ".index.ndjson", ".sha256"


class VolumeDamaged(Exception):
    """A volume does not contain what its index says."""


class Frame(Value, frozen=True):
    """The place of one game in a volume, and its log's last version and hash."""

    game: str
    offset: int
    length: int
    version: int
    hash: str


def header(events: list[Event]) -> Data:
    created = events[0]
    return {
        "format": "qwixx-log",
        "format_version": 1,
        "game": created.game,
        "ruleset": created.data["ruleset"],
        "sheet": created.data["sheet"],
        "events": len(events),
        "complete": True,
    }


def encoded(events: list[Event]) -> bytes:
    lines = [canonical(header(events)), *(canonical(event.envelope()) for event in events)]
    return zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(b"\n".join(lines) + b"\n")


def decoded(frame: bytes) -> list[Event]:
    """The log in a frame; `VolumeDamaged`: it is no log, or its chain is broken."""
    try:
        text = zstandard.ZstdDecompressor().decompress(frame, max_output_size=LONGEST_LOG)
        lines = [msgspec.json.decode(line) for line in text.splitlines()[1:]]
        events = [_event(line) for line in lines]
    except (zstandard.ZstdError, msgspec.MsgspecError, LookupError, TypeError, MemoryError) as error:
        raise VolumeDamaged(f"a frame cannot be read: {error}") from error
    if not events or (bad := first_bad_version(events, GENESIS)) is not None:
        raise VolumeDamaged("the chain of a log is broken" if events else f"a log is empty at {bad}")
    return events


def _event(line: Data) -> Event:
    event: Event = msgspec.convert([line[name] for name in Event.__struct_fields__], Event)
    return event._replace(data=in_order(event.type, event.data))


def write(path: Path, logs: Iterable[list[Event]]) -> list[Frame]:
    """Write a volume; where each game is in it."""
    frames, offset = [], 0
    with path.open("wb") as file:
        for events in logs:
            frame = encoded(events)
            file.write(frame)
            last = events[-1]
            frames.append(Frame(last.game, offset, len(frame), last.version, last.hash))
            offset += len(frame)
    return frames


def write_index(path: Path, frames: Iterable[Frame]) -> None:
    path.write_bytes(b"".join(canonical(frame._asdict()) + b"\n" for frame in frames))


def logs(file: BinaryIO, frames: Iterable[Frame]) -> Iterator[list[Event]]:
    """Every log of a volume, read frame by frame and compared with the index."""
    for frame in frames:
        file.seek(frame.offset)
        events = decoded(file.read(frame.length))
        if (events[-1].game, events[-1].version, events[-1].hash) != (frame.game, frame.version, frame.hash):
            raise VolumeDamaged(f"the log of {frame.game} is not the one that was written")
        yield events


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
