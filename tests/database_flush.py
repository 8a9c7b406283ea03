"""Empties the database after a test by deleting rows, because a TRUNCATE of forty tables takes ten times as long.

Every table is locked first, as TRUNCATE does, so that rows that a web process is still writing are deleted too.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management.commands import flush
from django.db import OperationalError
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg.errors import DeadlockDetected

FLUSHES = 10
MANY = 1000  # rows; with more TRUNCATE is faster
KEPT = {"django_content_type", "auth_permission"}  # written by migrations, the same for every test

EMPTY = """
DO $$
DECLARE
    name text;
    is_many bool;
BEGIN
    LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL session_replication_role = replica;  -- without the triggers of tables that are append-only
    FOREACH name IN ARRAY ARRAY[{names}] LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I OFFSET {many})', name) INTO is_many;
        EXECUTE format(CASE WHEN is_many THEN 'TRUNCATE %I CASCADE' ELSE 'DELETE FROM %I' END, name);
    END LOOP;
END $$"""


def sql_flush(self: DatabaseOperations, style: Any, tables: list[str], **options: Any) -> list[str]:
    tables = sorted({*tables} - KEPT)
    return [
        EMPTY.format(
            tables=", ".join(tables),
            names=", ".join(f"'{table}'" for table in tables),
            many=MANY,
        )
    ]


def flush_with_retries(self: DatabaseOperations, sql_list: list[str]) -> None:
    """Retry after a deadlock with a query that the web process is still running."""
    for tries_left in reversed(range(FLUSHES)):
        try:
            return execute_sql_flush(self, sql_list)
        except OperationalError as error:
            if not tries_left or not isinstance(error.__cause__, DeadlockDetected):
                raise
    return None


execute_sql_flush = DatabaseOperations.execute_sql_flush


@pytest.fixture(autouse=True, scope="session")
def flush_by_deleting() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        patch.setattr(DatabaseOperations, "execute_sql_flush", flush_with_retries)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **__: None)  # its rows are kept
        yield
