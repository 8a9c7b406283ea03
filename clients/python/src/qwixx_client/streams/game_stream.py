"""A game as it goes on, for synchronous programs. A stream is used by one thread."""

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import ClientConnection

from qwixx_client.back_off import BackOff, Pauses
from qwixx_client.models import Action, Game, Outcome
from qwixx_client.problems import LOST, ProblemError, StreamClosedError, final_error
from qwixx_client.requests import random_key
from qwixx_client.streams.frames import Command, Update
from qwixx_client.streams.state import StreamState, is_waiting


class GameStream:
    """Every event once and in order, every action once, through lost connections: iterate over its updates."""

    def __init__(
        self,
        state: StreamState,
        pauses: Pauses,
        connect: Callable[[str], AbstractContextManager[ClientConnection]],
        read: Callable[[str], Game],
    ) -> None:
        self._state, self._connect, self._read = state, connect, read
        self._back_off = BackOff(pauses)
        self._socket: ClientConnection | None = None
        self._closing = ExitStack()  # of the socket
        self._is_closed = False
        self.losses = 0

    @property
    def game(self) -> Game | None:
        """The newest view; None before the first."""
        return self._state.game

    @property
    def version(self) -> int | None:
        """The version of the last event received. Keep it with your copy of the game, to resume with `after`."""
        return self._state.version

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._is_closed = True
        self._drop()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Update:
        """Updates that arrived meanwhile come as one. The loop ends with the game."""
        if self._state.is_over:
            self.close()
        if self._is_closed:
            raise StopIteration
        while not self._state.has_news:
            self._step()
        return self._state.take()

    def act(self, action: Action, key: str | None = None) -> int:
        """Submits an action; returns its version when it is stored.

        It is sent under the same key again after every loss and counts once. Raises `ProblemError` if a rule forbids
        it.
        """
        key = key or random_key()
        command = self._state.command(key, action)
        if self._socket is not None:
            self._guarded(lambda: self._send(command))
        while not self._state.is_answered(key):
            self._step()
        return self._state.answer(key)

    def play(self, choose: Callable[[Game], Action | None]) -> Outcome | None:
        """Plays to the end and returns the result.

        `choose` is called whenever the game waits for this player, and returns one of `game["options"]`, or None to
        wait for the next update.
        """
        for update in self:
            action = choose(update.game) if is_waiting(update.game) else None
            if action is not None:
                self._act_unless_outdated(action)
        return self.game["result"] if self.game else None

    def _act_unless_outdated(self, action: Action) -> None:
        try:
            self.act(action)
        except ProblemError as refused:
            if not refused.is_outdated:
                raise

    def _step(self) -> None:
        """One frame; a lost connection is replaced."""
        if self._is_closed:
            raise StreamClosedError(1000)
        self._guarded(self._receive)

    def _receive(self) -> None:
        if self._socket is None:
            self._socket = self._closing.enter_context(self._connect(self._state.address))
        frame: Any = json.loads(self._socket.recv(timeout=self._state.silence_s))
        self._back_off.reset()
        for command in self._state.receive(frame):
            self._send(command)
        if self._state.needs_view:
            self._state.show(self._read(self._state.game_id))

    def _send(self, command: Command) -> None:
        if self._socket is not None:
            self._socket.send(json.dumps(command))

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except LOST as error:
            self._drop()
            if final := final_error(error):
                self._is_closed = True
                raise final from error
            self.losses += 1
            time.sleep(self._back_off.next_s(error.retry_after_s if isinstance(error, ProblemError) else 0.0))

    def _drop(self) -> None:
        self._socket = None
        self._closing.close()
