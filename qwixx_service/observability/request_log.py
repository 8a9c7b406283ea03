"""One log line for each request that may change something; what only reads is counted by the metrics."""

from typing import Any

import structlog

from players.telemetry import log_context

READS = frozenset(("GET", "HEAD", "OPTIONS"))
TOO_MANY_REQUESTS = 429  # counted by the metrics: a client must not be able to fill the log

logger: Any = structlog.get_logger("qwixx_service.requests")


def note(method: str, route: str, status: int, seconds: float) -> None:
    """A command has its own line, with the same id of the request. With LOG_LEVEL=DEBUG, every request gets one."""
    if method in READS or status == TOO_MANY_REQUESTS or log_context.LOGGED in log_context.current():
        write = logger.debug
    else:
        write = logger.info
    write("request", route=f"{method} {route}", status=status, ms=round(seconds * 1000, 2))
