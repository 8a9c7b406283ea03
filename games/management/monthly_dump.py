"""Writes the public games of one month as compressed NDJSON, with a list of checksums.

The same month gives the same bytes: the level and the parameters of the compression are fixed, a log is cut at the end
of its game, and nothing names the time or the machine.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import zstandard

from games.game.aggregate import fold
from games.game.events import Event, canonical
from games.game.views import event_views, sealed_versions
from games.log.reads.public_games import EndedGame

CHECKSUMS = "SHA256SUMS"
LEVEL = 19
SETTLED_AFTER = timedelta(hours=1)  # of the month: commits of its last games, and outages, are over
MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
LINE = re.compile(r"([0-9a-f]{64})  (\S+)")

ReadLog = Callable[[UUID], list[Event]]


def month_of(text: str) -> tuple[datetime, datetime]:
    """The first moment of a month such as `2026-01`, and that of the next one.

    >>> [moment.isoformat() for moment in month_of("2026-12")]
    ['2026-12-01T00:00:00+00:00', '2027-01-01T00:00:00+00:00']
    """
    found = MONTH.fullmatch(text)
    try:
        if found is not None:
            first = datetime(int(found[1]), int(found[2]), 1, tzinfo=UTC)
            return first, (first + timedelta(days=31)).replace(day=1)
    except (OverflowError, ValueError):
        pass  # of a year that there is not
    raise ValueError(f"{text} is not a month such as 2026-01")


def write(folder: Path, month: str, games: Iterable[EndedGame], read_log: ReadLog) -> tuple[Path, int]:
    """Write the file and its checksum; the file and the number of games. An interrupted call leaves the old ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"qwixx-games-{month}.ndjson.zst"
    part, count, digest = path.with_suffix(".part"), 0, hashlib.sha256()
    compressor = zstandard.ZstdCompressor(LEVEL, write_checksum=True)
    with part.open("wb") as file, compressor.stream_writer(file) as compressed:
        for ended in games:
            for line in export_lines(read_log(ended.game)[: ended.version]):
                compressed.write(line)
            count += 1
    with part.open("rb") as written:
        while block := written.read(1 << 20):
            digest.update(block)
    part.replace(path)
    _keep_checksum(folder / CHECKSUMS, path.name, digest.hexdigest())
    return path, count


def export_lines(log: list[Event]) -> Iterator[bytes]:
    """The export of a game as a spectator may see it, up to its end."""
    game = fold(None, log)
    yield _line(
        {
            "format": "qwixx-log",
            "format_version": 1,
            "game": game.id,
            "ruleset": game.setup.ruleset,
            "sheet": game.setup.sheet,
            "events": len(log),
            "complete": True,
        }
    )
    for event in event_views(log, None, sealed_versions(game)):
        yield _line(event)


def _line(content: object) -> bytes:
    return canonical(content) + b"\n"


def _keep_checksum(path: Path, name: str, digest: str) -> None:
    """One line for each file, as `sha256sum --check` reads it."""
    text = path.read_text("ascii") if path.exists() else ""
    sums = {found[2]: found[1] for found in LINE.finditer(text)} | {name: digest}
    part = path.with_suffix(".part")
    part.write_text("".join(f"{sums[each]}  {each}\n" for each in sorted(sums)), "ascii")
    part.replace(path)
