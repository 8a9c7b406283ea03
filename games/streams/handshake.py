"""Reads the handshake of a socket, its headers and query, and accepts it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from games.rules.refused import Refused
from games.streams.frames import PROTOCOL

Scope = dict[str, Any]
# Describes an error in a language: its code, its detail, and what is wrong with which member of an action.
Explain = Callable[[Exception, str], tuple[str, str, list[dict[str, str]]]]

MOST_DIGITS = 15


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header; two headers of one name are a list, so two tokens are no token."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(values) if values else None


def query(scope: Scope) -> dict[str, str]:
    """The parameters of the address; of a parameter that is given twice, the last one counts."""
    try:
        given = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=50)
    except ValueError:
        raise Refused("malformed") from None
    return {name: values[-1] for name, values in given.items()}


def accept(scope: Scope) -> dict[str, Any]:
    """The ASGI message that accepts a socket: with our subprotocol if the client offers it, else without one."""
    subprotocol = PROTOCOL if PROTOCOL in scope["subprotocols"] else None
    headers = [(b"x-request-id", scope["request_id"].encode())] if "request_id" in scope else []
    return {"type": "websocket.accept", "subprotocol": subprotocol, "headers": headers}


def after(query: dict[str, str]) -> int | None:
    """The version that the client has; None if it has none and wants the whole state."""
    given = query.get("after")
    if given is None:
        return None
    if not (given.removeprefix("-").isascii() and given.removeprefix("-").isdigit()) or len(given) > MOST_DIGITS:
        raise Refused("malformed")
    return max(0, int(given))


def wants_full_view(query: dict[str, str]) -> bool:
    """
    >>> wants_full_view({}), wants_full_view({"view": "full"})
    (False, True)
    """
    if query.get("view", "full") != "full":
        raise Refused("malformed")
    return "view" in query
