"""One log line for each request that may change something; what only reads is counted by the metrics, and so are
refusals beyond a budget."""

from typing import Any

import structlog

from players.limits import log_lines
from players.telemetry import log_context

READS = frozenset(("GET", "HEAD", "OPTIONS"))
TOO_MANY_REQUESTS = 429
MISTAKES = range(400, 500)  # of a client, which must not be able to fill the log

logger: Any = structlog.get_logger("qwixx_service.requests")


def note(method: str, route: str, status: int, seconds: float) -> None:
    """A command has its own line, with the same id of the request. With LOG_LEVEL=DEBUG, every request gets one."""
    write = logger.info if is_logged(method, status) else logger.debug
    write("request", route=f"{method} {route}", status=status, ms=round(seconds * 1000, 2))


def is_logged(method: str, status: int) -> bool:
    context = log_context.current()
    if method in READS or status == TOO_MANY_REQUESTS or log_context.LOGGED in context:
        return False
    return status not in MISTAKES or log_lines.is_logged(context.get("player"))
