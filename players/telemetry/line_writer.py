"""Writes log lines in a thread of its own: neither a slow disk nor a reader that has stopped holds the event loop."""

import atexit
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import IO, Any

from prometheus_client import Counter

CAPACITY = 20_000  # lines that wait; then new ones are dropped
COLLECT_S = 0.1  # lines of this time are written together
DROPPED = Counter("qwixx_log_lines_dropped", "Log lines that were not written: too many waited, or the output failed.")

Event = Mapping[str, Any]
Render = Callable[[Event], str]


class LineWriter:
    """Takes finished lines, and events that its thread renders. The thread starts with the first line."""

    def __init__(self, stream: IO[str] | None = None, capacity: int = CAPACITY) -> None:
        self.render: Render = str
        self._stream, self._capacity = stream, capacity
        self._start_empty()
        os.register_at_fork(after_in_child=self._start_empty)
        atexit.register(self.flush)

    def _start_empty(self) -> None:
        """A forked child has no thread, and must not write the lines of its parent again."""
        self._lines: deque[str | Event] = deque()
        self._has_lines, self._is_urgent = threading.Event(), threading.Event()
        self._writing, self._starting = threading.Lock(), threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, line: str | Event, *, is_urgent: bool = False) -> None:
        """Never waits. An urgent line is written at once, with all before it."""
        if len(self._lines) >= self._capacity:
            return DROPPED.inc()
        self._lines.append(line)
        if is_urgent:
            self._is_urgent.set()
        if not self._has_lines.is_set():
            self._has_lines.set()
            if self._thread is None:
                self._start()
        return None

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="log lines", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._has_lines.wait()
            self._is_urgent.wait(COLLECT_S)
            self._is_urgent.clear()
            self._has_lines.clear()  # before they are taken: a line that comes now wakes the thread again
            self.flush()

    def flush(self) -> None:
        """Write what waits; also when the process ends."""
        with self._writing:
            taken = [self._lines.popleft() for _ in range(len(self._lines))]
            if taken:
                self._write(taken)

    def _write(self, taken: list[str | Event]) -> None:
        stream = self._stream or sys.stderr
        try:
            stream.write("".join(f"{line if isinstance(line, str) else self.render(line)}\n" for line in taken))
            stream.flush()
        except (OSError, ValueError):  # the reader has gone, the disk is full, or the stream is closed
            DROPPED.inc(len(taken))


lines = LineWriter()
