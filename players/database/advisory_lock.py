"""One at a time: whoever changes ratings or standings does it alone, in whichever process."""

import contextlib
from collections.abc import Iterator

from django.db import connection, transaction

LOCK = 0x7178_7072  # of the database, held to the end of the transaction
FILLING = LOCK + 1  # of whoever fills caches of what was changed: nobody who changes anything waits for it


@contextlib.contextmanager
def alone(lock: int = LOCK) -> Iterator[bool]:
    """A transaction of one's own; False, and nothing to be done, where somebody else is at it already."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [lock])
            (is_ours,) = cursor.fetchone() or (False,)
        yield is_ours


def stand_alone() -> None:
    """Inside a transaction: waits until nobody else is at it, and keeps others waiting until it ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
