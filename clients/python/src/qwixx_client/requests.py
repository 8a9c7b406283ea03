"""How requests are repeated, without I/O: which answers count, and how long to wait before the next attempt."""

import secrets
from collections.abc import Mapping
from typing import Any

import httpx

from qwixx_client.back_off import BackOff, Pauses
from qwixx_client.problems import checked, may_repeat, wait_s

__all__ = ["Attempts", "checked", "headers", "options", "random_key"]

ATTEMPTS = 6
TIMEOUT_S = 60
SILENCE_S = 35.0  # a socket without a heartbeat for so long is dead


def random_key() -> str:
    """Hard to guess, and never the same twice."""
    return secrets.token_hex(16)


def headers(token: str | None, language: str | None) -> dict[str, str]:
    given = {"Authorization": f"Bearer {token}" if token else None, "Accept-Language": language}
    return {name: value for name, value in given.items() if value}


def options(method: str, query: Mapping[str, object] | None, body: object, key: str | None) -> dict[str, Any]:
    """Of a request, the same for all its attempts."""
    wanted = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    keyed = {"Idempotency-Key": key or random_key()} if method == "POST" else {}
    return {"params": wanted, "headers": keyed} | ({} if body is None else {"json": body})


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


class Attempts:
    def __init__(self, pauses: Pauses) -> None:
        self._back_off = BackOff(pauses)
        self._left = ATTEMPTS

    def start(self) -> None:
        self._left -= 1

    def is_answered(self, response: httpx.Response) -> bool:
        return not self._left or not may_repeat(response)

    def pause_s(self, failure: httpx.Response | httpx.TransportError) -> float:
        """Before the next attempt; the error of the last one is raised."""
        if isinstance(failure, httpx.TransportError) and not self._left:
            raise failure
        return self._back_off.next_s(wait_s(failure) if isinstance(failure, httpx.Response) else 0.0)
