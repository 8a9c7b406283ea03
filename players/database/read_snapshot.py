"""Several queries of Django's on one snapshot of the database."""

import contextlib
from collections.abc import Iterator

from django.db import connection, transaction


@contextlib.contextmanager
def read_snapshot() -> Iterator[None]:
    """Queries within the block see the same commits, and cannot write."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
