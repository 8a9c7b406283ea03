"""Reads the token of a request, from its Authorization header or through a stream ticket, and finds its session."""

from typing import NamedTuple

from players.database.refusal import Refused
from players.sessions import stream_tickets, tokens
from players.sessions.directory import directory
from players.sessions.identity import Identity


class AuthenticatedSession(NamedTuple):
    """The caller of a request, and the hash of the token that the caller sent."""

    identity: Identity
    digest: bytes

    def __repr__(self) -> str:
        return f"AuthenticatedSession({self.identity})"  # a log line must not contain the hash

    async def is_valid(self) -> bool:
        """Whether the token still opens this session: it may have been revoked since."""
        return await directory.whose(self.digest) is not None


async def authenticate(authorization: str | None, ticket: str | None = None) -> AuthenticatedSession:
    """The session of a Bearer token; without a header, that of a ticket, which is used up by this call."""
    if authorization is None and ticket is not None:
        digest = await stream_tickets.gate.redeem(ticket)
    else:
        scheme, _, token = (authorization or "").partition(" ")
        digest = tokens.digest(token.strip()) if scheme.lower() == "bearer" else None
    identity = await directory.whose(digest) if digest else None
    if identity is None or digest is None:
        raise Refused("not_authenticated")
    return AuthenticatedSession(identity, digest)
