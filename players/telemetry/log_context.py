"""What every log line of a request, a frame or a task carries: its id, route, player and game.

structlog's own context variables do not serve here: Django runs in a thread with a copy of the context, and what it
adds must reach the middleware around it. So the variable holds one dictionary, which all of them share.
"""

from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

LOGGED = "logged"  # a line about this request has been written; never printed itself

_fields: ContextVar[dict[str, Any]] = ContextVar("log_fields")


def begin(**fields: Any) -> None:
    """Start an empty context for the request, connection or task that begins here."""
    _fields.set(fields)


def add(**fields: Any) -> None:
    """Add to the context; outside of a request, nothing happens."""
    known = _fields.get(None)
    if known is not None:
        known.update(fields)


def current() -> dict[str, Any]:
    return _fields.get(None) or {}


def merge(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor of structlog: the fields of the context, except those that the line names itself."""
    for name, value in current().items():
        if name != LOGGED:
            event.setdefault(name, value)
    return event
