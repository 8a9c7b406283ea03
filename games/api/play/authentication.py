"""Who stands at the door: the player behind a token, and whether he asks too often."""

import time

from games import calls
from games.api.play.http import Request
from games.commands import CommandContext
from games.game.values import Value
from games.rules.refused import Refused
from players.database.ids import text_of
from players.limits.rate_limits import limits
from players.sessions import stream_tickets, tokens
from players.sessions.directory import directory
from players.sessions.identity import Identity


class Visitor(Value, frozen=True):
    identity: Identity
    digest: bytes  # what is stored of the token

    def __repr__(self) -> str:
        return f"Visitor({self.identity})"

    @property
    def player(self) -> str:
        return text_of(self.identity.player)

    async def is_welcome(self) -> bool:
        """Is the token still good? Asked again and again by whoever stays."""
        return await directory.whose(self.digest) is not None

    def order(self, request: Request, asked: calls.Asked) -> CommandContext:
        key, if_match = request.header(b"idempotency-key"), request.header(b"if-match")
        return calls.order(self.identity, request.path, asked, key, if_match)


async def visitor(request: Request, limit: str) -> Visitor:
    digest = await _digest(request)
    identity = await directory.whose(digest) if digest else None
    if identity is None or digest is None:
        raise Refused("not_authenticated")
    retry_after = limits.take(limit, text_of(identity.session), time.monotonic())
    if retry_after is not None:
        raise Refused("too_many_requests", retry_after=retry_after)
    return Visitor(identity, digest)


async def _digest(request: Request) -> bytes | None:
    """By the header; a browser's stream, which can send none, shows a ticket."""
    given = request.header(b"authorization")
    if given is None and request.path.endswith("/stream") and (ticket := request.query().get("ticket")):
        return await stream_tickets.gate.redeem(ticket)
    scheme, _, token = (given or "").partition(" ")
    return tokens.digest(token.strip()) if scheme.lower() == "bearer" else None
