"""Calls a function in a background thread, so that the caller neither waits nor fails; delivery is not guaranteed."""

import contextlib
import logging
import os
import queue
import threading
from collections.abc import Callable
from typing import Any

CAPACITY = 10_000

logger = logging.getLogger(__name__)


class BackgroundSender:
    """A call that fails is logged and dropped, as is one beyond the capacity: callers need another way to recover."""

    def __init__(self, name: str, send: Callable[..., object], capacity: int = CAPACITY) -> None:
        self._name, self._send, self._capacity = name, send, capacity
        self._reset()
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        """Neither threads nor locks survive a fork."""
        self._queue: queue.Queue[tuple[Any, ...]] = queue.Queue(self._capacity)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, *arguments: Any) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(arguments)

    def _run(self) -> None:
        while True:
            arguments = self._queue.get()
            try:
                self._send(*arguments)
            except Exception as error:  # noqa: BLE001  (the next call may succeed)
                logger.warning("%s: %s was not sent: %s", self._name, arguments, error)
