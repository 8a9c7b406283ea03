"""A game as it goes on, for asynchronous programs. Several tasks may use a stream."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection

from qwixx_client.back_off import BackOff, Pauses
from qwixx_client.models import Action, Game, Outcome
from qwixx_client.problems import LOST, ProblemError, StreamClosedError, final_error
from qwixx_client.requests import random_key
from qwixx_client.streams.frames import Command, Update
from qwixx_client.streams.state import StreamState, is_waiting


class AsyncGameStream:
    """Every event once and in order, every action once, through lost connections: iterate over its updates."""

    def __init__(
        self,
        state: StreamState,
        pauses: Pauses,
        connect: Callable[[str], Awaitable[ClientConnection]],
        read: Callable[[str], Awaitable[Game]],
    ) -> None:
        self._state, self._connect, self._read = state, connect, read
        self._back_off = BackOff(pauses)
        self._socket: ClientConnection | None = None
        self._turn = asyncio.Lock()  # one task receives; the others wait for what it has received
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

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        self._is_closed = True
        await self._drop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        """Updates that arrived meanwhile come as one. The loop ends with the game."""
        if self._state.is_over:
            await self.close()
        if self._is_closed:
            raise StopAsyncIteration
        if not await self._until(lambda: self._state.has_news):
            raise StopAsyncIteration
        return self._state.take()

    async def act(self, action: Action, key: str | None = None) -> int:
        """Submits an action; returns its version when it is stored.

        It is sent under the same key again after every loss and counts once. Raises `ProblemError` if a rule forbids
        it.
        """
        key = key or random_key()
        command = self._state.command(key, action)
        await self._guarded(lambda: self._send(command))
        if not await self._until(lambda: self._state.is_answered(key)):
            raise StreamClosedError(1000)
        return self._state.answer(key)

    async def play(self, choose: Callable[[Game], Action | Awaitable[Action | None] | None]) -> Outcome | None:
        """Plays to the end and returns the result.

        `choose` is called whenever the game waits for this player, and returns one of `game["options"]`, or None to
        wait for the next update.
        """
        async for update in self:
            chosen = choose(update.game) if is_waiting(update.game) else None
            action = await chosen if isinstance(chosen, Awaitable) else chosen
            if action is not None:
                await self._act_unless_outdated(action)
        return self.game["result"] if self.game else None

    async def _act_unless_outdated(self, action: Action) -> None:
        try:
            await self.act(action)
        except ProblemError as refused:
            if not refused.is_outdated:
                raise

    async def _until(self, is_done: Callable[[], bool]) -> bool:
        """Receives, or lets another task receive, until it is done. False: the stream was closed before."""
        while not is_done() and not self._is_closed:
            async with self._turn:
                if not is_done() and not self._is_closed:
                    await self._guarded(self._receive)
        return is_done()

    async def _receive(self) -> None:
        """One frame."""
        if self._socket is None:
            self._socket = await self._connect(self._state.address)
        async with asyncio.timeout(self._state.silence_s):
            frame: Any = json.loads(await self._socket.recv())
        self._back_off.reset()
        for command in self._state.receive(frame):
            await self._send(command)
        if self._state.needs_view:
            self._state.show(await self._read(self._state.game_id))

    async def _send(self, command: Command) -> None:
        if self._socket is not None:
            await self._socket.send(json.dumps(command))

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """A lost connection is replaced after a pause."""
        try:
            await work()
        except LOST as error:
            await self._drop()
            if self._is_closed:
                return
            if final := final_error(error):
                self._is_closed = True
                raise final from error
            self.losses += 1
            pause = self._back_off.next_s(error.retry_after_s if isinstance(error, ProblemError) else 0.0)
            await asyncio.sleep(pause)

    async def _drop(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()
