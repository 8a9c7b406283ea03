"""ASGI middleware that tells a client how much of its rate limit is left (draft-ietf-httpapi-ratelimit-headers)."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from players.limits.rate_limits import SPENT, Spent


class RateLimitHeaders:
    """Authentication and throttling leave in the scope what they counted; other requests get no such headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_limit(message: Message) -> None:
            if message["type"] == "http.response.start" and (spent := scope.get(SPENT)) is not None:
                message["headers"] = [*message.get("headers", ()), *fields(spent)]
            await send(message)

        return await self.app(scope, receive, send_with_limit)


def fields(spent: Spent) -> tuple[tuple[bytes, bytes], ...]:
    """Structured fields (RFC 9651).

    >>> fields(Spent("games", '"games";q=120;w=60', 119, 1))
    ((b'ratelimit-policy', b'"games";q=120;w=60'), (b'ratelimit', b'"games";r=119;t=1'))
    """
    limit = f'"{spent.scope}";r={spent.remaining};t={spent.reset_s}'
    return (b"ratelimit-policy", spent.policy.encode()), (b"ratelimit", limit.encode())
