"""Sends messages in a background thread: the caller neither waits nor fails, and delivery is not guaranteed."""

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
    """A message that `send` fails to deliver is dropped and logged; its receiver must find it in another way."""

    def __init__(self, name: str, send: Callable[..., object]) -> None:
        self._name, self._send = name, send
        self._reset()
        os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        """Neither threads nor locks survive a fork."""
        self._messages: queue.Queue[tuple[Any, ...]] = queue.Queue(ROOM)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, *message: Any) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._deliver, name=self._name, daemon=True)
                self._thread.start()
        with contextlib.suppress(queue.Full):
            self._messages.put_nowait(message)

    def _deliver(self) -> None:
        while True:
            message = self._messages.get()
            try:
                self._send(*message)
            except Exception as error:  # noqa: BLE001  (the next message may be delivered)
                logger.warning("%s: %s was not sent: %s", self._name, message, error)
