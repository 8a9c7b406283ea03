"""Sends one message: to the address that was checked, without redirects, in bounded time; the body is not read."""

import asyncio
import logging
import socket
import ssl
import time
from functools import cache
from typing import NamedTuple

import httpx

from games.webhooks.public_addresses import AddressNotAllowed, resolve

logger = logging.getLogger(__name__)

TOTAL_S = 10.0  # from the resolution of the name to the status of the response
PORTS = {"http": 80, "https": 443}
# The code of the first match is shown to the owner; what the receiver sent is not.
ERRORS: tuple[tuple[type[BaseException], str], ...] = (
    (AddressNotAllowed, "address_not_allowed"),
    (socket.gaierror, "unknown_host"),
    (UnicodeError, "unknown_host"),
    (TimeoutError, "timeout"),
    (httpx.TimeoutException, "timeout"),
    (ssl.SSLError, "tls_failed"),
    (httpx.ConnectError, "connection_failed"),
    (httpx.HTTPError, "protocol_error"),
    (OSError, "connection_failed"),
)


class AttemptResult(NamedTuple):
    """The status of the response, or the code of the error that came in its place."""

    status: int | None
    error: str | None
    duration_ms: int

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


@cache
def tls_context() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def send(url: str, headers: dict[str, str], body: str, *, allow_loopback: bool) -> AttemptResult:
    """One attempt; every error is a result. Runs in a thread of its own."""
    began = time.monotonic()
    status, error = None, None
    try:
        status = asyncio.run(_post(httpx.URL(url), headers, body.encode(), allow_loopback=allow_loopback))
    except tuple(kind for kind, _ in ERRORS) as raised:
        error = _code(raised)
    except Exception:  # one message must not stop the others
        logger.exception("a webhook message could not be sent")
        error = "internal"
    return AttemptResult(status, error, round((time.monotonic() - began) * 1000))


async def _post(url: httpx.URL, headers: dict[str, str], body: bytes, *, allow_loopback: bool) -> int:
    async with asyncio.timeout(TOTAL_S):
        address = await resolve(url.host, url.port or PORTS[url.scheme], allow_loopback=allow_loopback)
        fixed = {"Host": url.netloc.decode(), "Content-Type": "application/json", "User-Agent": "qwixx-service"}
        async with (
            httpx.AsyncClient(trust_env=False, follow_redirects=False, verify=tls_context(), timeout=TOTAL_S) as client,
            client.stream(
                "POST",
                url.copy_with(host=address),
                headers={**headers, **fixed},
                content=body,
                extensions={"sni_hostname": url.host},  # the certificate must be for the name, not the address
            ) as response,
        ):
            return response.status_code


def _code(raised: BaseException) -> str:
    """A failed TLS handshake is a ConnectError, which names its cause."""
    cause: BaseException | None = raised
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return "tls_failed"
        cause = cause.__cause__ or cause.__context__
    return next(code for kind, code in ERRORS if isinstance(raised, kind))
