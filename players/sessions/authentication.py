"""Reads the token of a request: who calls, from the `Authorization` header or from a stream ticket."""

from typing import NamedTuple

from players.database.ids import text_of
from players.database.refusal import RequestRefused
from players.sessions import scopes, stream_tickets, tokens
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

    def check(self, operation: str) -> None:
        """Refuse a personal access token that lacks the scope of an operation of `scopes.NEEDED`."""
        scopes.check(self.identity.scopes, operation)


async def authenticate(authorization: str | None, operation: str, ticket: str | None = None) -> AuthenticatedSession:
    """A ticket counts where there is no header: browsers cannot send one with a stream."""
    if authorization is None and ticket:
        digest = await stream_tickets.redeemer.redeem(ticket)
    else:
        digest = bearer_digest(authorization)
    return _session(await directory.whose(digest) if digest else None, digest, operation)


def known_session(authorization: str | None) -> str:
    """The session of a token that this process knows without a query; empty for every other header."""
    digest = bearer_digest(authorization)
    identity = None if digest is None else directory.known(digest)
    return "" if identity is None else text_of(identity.session)


def authenticate_sync(authorization: str | None, operation: str) -> AuthenticatedSession:
    identity = directory.identify_sync(bearer_token(authorization))
    return _session(identity, bearer_digest(authorization), operation)


def bearer_token(authorization: str | None) -> str:
    """
    >>> bearer_token("Bearer qx_1"), bearer_token("Basic YTpi"), bearer_token(None)
    ('qx_1', '', '')
    """
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def bearer_digest(authorization: str | None) -> bytes | None:
    return tokens.digest(bearer_token(authorization))


def _session(identity: Identity | None, digest: bytes | None, operation: str) -> AuthenticatedSession:
    if identity is None or digest is None:
        raise RequestRefused("not_authenticated")
    session = AuthenticatedSession(identity, digest)
    session.check(operation)
    return session
