"""What a database must be before the service starts on it; each problem is one sentence."""

from collections.abc import Iterator
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from qwixx_service.embedded.data_folder import CannotStart

OLDEST_SERVER = 15
FACTS = """
    SELECT pg_backend_pid(), current_setting('server_version_num')::int / 10000,
           current_setting('default_transaction_isolation'),
           EXISTS (SELECT FROM pg_extension WHERE extname = 'plpgsql')
"""
POOLER = "DATABASE_URL leads to a pooler: give the address of the server itself in DATABASE_DIRECT_URL."
INDIRECT = "DATABASE_DIRECT_URL leads to a pooler: it must be the address of the server itself."
TOO_OLD = "The database is PostgreSQL {}: the service needs {} or later."
ISOLATION = "The database begins transactions at {}: set default_transaction_isolation to read committed."
NO_PLPGSQL = "The database lacks the extension plpgsql: run CREATE EXTENSION plpgsql in it."


def check() -> None:
    """Refuse a database on which play would fail. That it cannot be reached is not a reason: it may come back."""
    for problem in problems():
        raise CannotStart(problem)


def problems() -> Iterator[str]:
    parameters = connection.get_connection_params()
    known = {name: value for name, value in parameters.items() if name not in ("context", "cursor_factory")}
    facts = _facts(**known)
    if facts is not None:
        is_server, version, isolation, has_plpgsql = facts
        if not is_server and not settings.HAS_POOLER:
            yield POOLER
        if version < OLDEST_SERVER:
            yield TOO_OLD.format(version, OLDEST_SERVER)
        if isolation != "read committed":
            yield ISOLATION.format(isolation)
        if not has_plpgsql:
            yield NO_PLPGSQL
    if settings.HAS_POOLER and (direct := _facts(conninfo=settings.DATABASE_DIRECT_URL)) and not direct[0]:
        yield INDIRECT


def _facts(**parameters: Any) -> tuple[bool, int, str, bool] | None:
    """A pooler gives its clients process ids of its own; the first fact is whether the server itself has answered."""
    try:
        with psycopg.connect(**parameters, autocommit=True) as database:
            facts: Any = database.execute(FACTS).fetchone()
            return (facts[0] == database.info.backend_pid, *facts[1:])
    except (psycopg.OperationalError, OSError):
        return None
