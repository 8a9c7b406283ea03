"""Hands things on in a thread of its own: whoever puts something in never waits, and never fails. Keeps no promise."""

import contextlib
import logging
import os
import queue
import threading
from collections.abc import Callable
from typing import Any

ROOM = 10_000

logger = logging.getLogger(__name__)


class BackgroundSender:
    """What `send` cannot deliver is dropped and logged: whoever uses this must have another way to find it again."""

    def __init__(self, name: str, send: Callable[..., object]) -> None:
        self._name, self._send = name, send
        self._start_anew()
        os.register_at_fork(after_in_child=self._start_anew)

    def _start_anew(self) -> None:
        """Neither threads nor locks survive a fork."""
        self._letters: queue.Queue[tuple[Any, ...]] = queue.Queue(ROOM)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, *letter: Any) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._deliver, name=self._name, daemon=True)
                self._thread.start()
        with contextlib.suppress(queue.Full):
            self._letters.put_nowait(letter)

    def _deliver(self) -> None:
        while True:
            letter = self._letters.get()
            try:
                self._send(*letter)
            except Exception as error:  # noqa: BLE001  (the next letter may fare better)
                logger.warning("%s: %s was not sent: %s", self._name, letter, error)
