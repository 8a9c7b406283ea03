"""Reads that may be a moment late, from a replica of the database where there is one, else from the database itself."""

import logging
import time
from typing import Any

from django.db import Error, connections

ALIAS = "replica"
AWAY_S = 10.0  # for which a replica that failed is left alone

logger = logging.getLogger(__name__)
_away_until = float("-inf")


def is_away() -> bool:
    """Whether it has failed lately."""
    return time.monotonic() < _away_until


def note_failure(error: BaseException) -> None:
    """Read from the database itself for some time."""
    global _away_until  # one replica per process
    _away_until = time.monotonic() + AWAY_S
    logger.warning("the replica is left alone for %d s: %s", AWAY_S, str(error).partition("\n")[0])


def fetch(query: Any, parameters: list[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query that changes nothing, and need not see the last second."""
    if ALIAS in connections.settings and not is_away():
        try:
            return _fetch(ALIAS, query, parameters)
        except Error as error:
            note_failure(error)
    return _fetch("default", query, parameters)


def _fetch(alias: str, query: Any, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
