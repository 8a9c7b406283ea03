"""Reads the token of a request: who calls, from the `Authorization` header or from a stream ticket."""

from typing import NamedTuple

from players.database.refusal import RequestRefused
from players.sessions import stream_tickets, tokens
from players.sessions.directory import directory
from players.sessions.identity import Identity


class AuthenticatedSession(NamedTuple):
    identity: Identity
    token_digest: bytes

    def __repr__(self) -> str:
        return f"AuthenticatedSession({self.identity})"

    async def is_valid(self) -> bool:
        """Whether the token has not been revoked since; long requests and streams check it again and again."""
        return await directory.whose(self.token_digest) is not None


async def authenticate(authorization: str | None, ticket: str | None = None) -> AuthenticatedSession:
    """A ticket counts where there is no header: browsers cannot send one with a stream."""
    if authorization is None and ticket:
        digest = await stream_tickets.redeemer.redeem(ticket)
    else:
        digest = bearer_digest(authorization)
    return _session(await directory.whose(digest) if digest else None, digest)


def authenticate_sync(authorization: str | None) -> AuthenticatedSession:
    return _session(directory.identify_sync(bearer_token(authorization)), bearer_digest(authorization))


def bearer_token(authorization: str | None) -> str:
    """
    >>> bearer_token("Bearer qx_1"), bearer_token("Basic YTpi"), bearer_token(None)
    ('qx_1', '', '')
    """
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def bearer_digest(authorization: str | None) -> bytes | None:
    return tokens.digest(bearer_token(authorization))


def _session(identity: Identity | None, digest: bytes | None) -> AuthenticatedSession:
    if identity is None or digest is None:
        raise RequestRefused("not_authenticated")
    return AuthenticatedSession(identity, digest)
