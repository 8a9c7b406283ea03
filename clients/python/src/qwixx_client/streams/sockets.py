"""How sockets are opened: the addresses, headers and time limits that sync and async connections share."""

from typing import Any

PROTOCOL = "qx.v1"
OPEN_TIMEOUT_S = 10
CLOSE_TIMEOUT_S = 1


def address(url: str, path: str) -> str:
    return url.replace("http", "ws", 1) + path


def options(headers: dict[str, str]) -> dict[str, Any]:
    return {
        "additional_headers": headers,
        "subprotocols": [PROTOCOL],
        "open_timeout": OPEN_TIMEOUT_S,
        "close_timeout": CLOSE_TIMEOUT_S,
        "max_size": None,
    }
