"""What browsers on other origins may do: those that are named, and nobody else. Tokens are headers, so no cookies."""

from collections.abc import Collection, Mapping

from qwixx_service.http.asgi_types import Header

METHODS = b"GET, HEAD, POST, PATCH, DELETE, OPTIONS"
SENT = (
    b"Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, "
    b"Last-Event-ID, X-Request-ID"
)
READ = b"ETag, Retry-After, X-Request-ID, Idempotent-Replayed, Location"
REMEMBERED_S = b"7200"

VARY: Header = (b"vary", b"Origin")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", METHODS),
    (b"access-control-allow-headers", SENT),
    (b"access-control-max-age", REMEMBERED_S),
)


class Cors:
    def __init__(self, origins: Collection[str]) -> None:
        self._answers = {origin.encode(): _answer(origin.encode()) for origin in origins}

    def headers(self, given: Mapping[bytes, bytes]) -> tuple[Header, ...]:
        """For every answer: a cache must know that it depends on who asks."""
        return self._answers.get(given.get(b"origin", b""), (VARY,))

    def preflight(self, given: Mapping[bytes, bytes]) -> tuple[Header, ...]:
        """What a named origin may do; to any other nothing is said, and its browser goes no further."""
        return PREFLIGHT if given[b"origin"] in self._answers else ()


def _answer(origin: bytes) -> tuple[Header, ...]:
    return (VARY, (b"access-control-allow-origin", origin), (b"access-control-expose-headers", READ))


def is_preflight(given: Mapping[bytes, bytes]) -> bool:
    """Whether an OPTIONS is a browser's question before the call itself."""
    return b"origin" in given and b"access-control-request-method" in given
