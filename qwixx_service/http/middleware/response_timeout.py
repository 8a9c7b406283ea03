"""ASGI middleware that gives up a request whose response does not start in time."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.rules.refused import Refused


class ResponseTimeout:
    """A thread that waits for a database that hangs cannot be interrupted, but its client is not kept waiting."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self.app, self._seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._seconds) as timeout:

                async def send_in_time(message: Message) -> None:
                    if message["type"] == "http.response.start":
                        timeout.reschedule(None)
                    await send(message)

                await self.app(scope, receive, send_in_time)
        except TimeoutError:
            if timeout.expired():
                raise Refused("unavailable") from None
            raise
