"""Reads the logs of archived games, the last of which stay in memory."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from uuid import UUID

from games.game.events import Event
from games.log.archive.object_stores import ObjectStore, StoreUnavailable, open_store
from games.log.archive.places import ArchivedLog
from games.log.archive.volumes import VolumeDamaged, decoded
from games.rules.refused import Refused

LOGS_IN_MEMORY = 32  # of about 300 kB

logger = logging.getLogger(__name__)
opened = lru_cache(maxsize=8)(open_store)


class ArchiveReader:
    """Blocks while it reads: callers on an event loop use a thread. `unavailable`: the store does not give the log."""

    def __init__(self, opening: Callable[[str], ObjectStore] = opened, size: int = LOGS_IN_MEMORY) -> None:
        self._opening, self._size = opening, size
        self._logs: OrderedDict[UUID, list[Event]] = OrderedDict()
        self._lock = threading.Lock()

    def log(self, archived: ArchivedLog) -> list[Event]:
        """The events up to the version that was archived, checked against their hash in the database."""
        with self._lock:
            known = self._logs.get(archived.game)
            if known is not None and len(known) == archived.version:
                self._logs.move_to_end(archived.game)
                return known
        try:
            frame = self._opening(archived.store).read(archived.name, archived.offset, archived.length)
            events = self._checked(decoded(frame), archived)
        except (StoreUnavailable, VolumeDamaged) as error:
            logger.error("the log of game %s cannot be read from the archive: %s", archived.game, error)
            raise Refused("unavailable") from error
        with self._lock:
            self._logs[archived.game] = events
            while len(self._logs) > self._size:
                self._logs.popitem(last=False)
        return events

    def forget(self) -> None:
        """Drop all logs from memory."""
        with self._lock:
            self._logs.clear()

    def _checked(self, events: list[Event], archived: ArchivedLog) -> list[Event]:
        last = events[-1]
        if (last.game, last.version, last.hash) != (str(archived.game), archived.version, archived.hash.hex()):
            raise VolumeDamaged(f"{archived.name} has another log at this place")
        return events


archive_reader = ArchiveReader()
