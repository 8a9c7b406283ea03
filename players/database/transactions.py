"""Transactions that hold an advisory lock, end when their process is frozen, or read one snapshot."""

import contextlib
from collections.abc import Iterator

from django.db import connection, transaction

PROJECTION_LOCK = 0x7178_7072
IDLE_S = 10.0  # more than a healthy process computes between two queries
CACHE_LOCK = PROJECTION_LOCK + 1  # for filling caches: projections do not wait for it


def bound_idleness(seconds: float) -> None:
    """End this transaction, and free its locks, when it has sent nothing for so long: its process may be frozen."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, true)", [f"{int(seconds * 1000)}"])


@contextlib.contextmanager
def try_lock(lock: int = PROJECTION_LOCK, idle_s: float = IDLE_S) -> Iterator[bool]:
    """A transaction that holds the lock to its end; yields False if another transaction holds it."""
    with transaction.atomic():
        bound_idleness(idle_s)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [lock])
            (is_held,) = cursor.fetchone() or (False,)
        yield is_held


def wait_for_lock(lock: int = PROJECTION_LOCK) -> None:
    """Inside a transaction: wait for the lock and hold it until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])


@contextlib.contextmanager
def read_snapshot() -> Iterator[None]:
    """Queries within the block see the same commits, and cannot write."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
