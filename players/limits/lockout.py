"""How often something may be tried, counted in the database: a limit that holds across processes and restarts.

What is kept is a keyed hash of whom it is about, and for an hour at most.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from django.db import connection, transaction
from django.utils.crypto import salted_hmac

from players.database.refusal import Refused
from players.models import Attempt

Result = TypeVar("Result")
KEPT = timedelta(hours=1)


class Allowance(NamedTuple):
    name: str
    most: int
    window: timedelta


FAILURES_PER_ACCOUNT = Allowance("account", 5, timedelta(minutes=1))
FAILURES_PER_ADDRESS = Allowance("address", 60, timedelta(minutes=1))
MAILS = Allowance("mail", 4, KEPT)


def key(allowance: Allowance, whose: str) -> bytes:
    return salted_hmac(f"players.lockout.{allowance.name}", whose, algorithm="sha256").digest()


def guarded(email: str, address: str, now: datetime, work: Callable[[], Result]) -> Result:
    """Do what needs the right password; that it was wrong is counted, though all else is undone.

    One at a time per account, or guesses made at once would all be made before the first is counted.
    """
    mistaken: Refused | None = None
    refuse_if_spent(FAILURES_PER_ACCOUNT, email, now)
    refuse_if_spent(FAILURES_PER_ADDRESS, address, now)
    with transaction.atomic():
        _wait_for_turn(key(FAILURES_PER_ACCOUNT, email))
        refuse_if_spent(FAILURES_PER_ACCOUNT, email, now)
        try:
            with transaction.atomic():
                return work()
        except Refused as refused:
            if refused.code != "invalid_credentials":
                raise
            mistaken = refused
            note(FAILURES_PER_ACCOUNT, email, now)
            note(FAILURES_PER_ADDRESS, address, now)
    raise mistaken


def refuse_if_spent(allowance: Allowance, whose: str, now: datetime) -> None:
    wait = wait_s(allowance, whose, now)
    if wait is not None:
        raise Refused("too_many_requests", retry_after=wait)


def wait_s(allowance: Allowance, whose: str, now: datetime) -> float | None:
    """None: go ahead. Else so many seconds, until the oldest of the last tries no longer counts."""
    tries = Attempt.objects.filter(key=key(allowance, whose), at__gt=now - allowance.window).order_by("-at")
    counted = list(tries.values_list("at", flat=True)[: allowance.most])
    return (counted[-1] + allowance.window - now).total_seconds() if len(counted) == allowance.most else None


def note(allowance: Allowance, whose: str, now: datetime) -> None:
    Attempt.objects.create(key=key(allowance, whose), at=now)


def forget(allowance: Allowance, whose: str) -> None:
    Attempt.objects.filter(key=key(allowance, whose)).delete()


def sweep(now: datetime) -> None:
    Attempt.objects.filter(at__lt=now - KEPT).delete()


def _wait_for_turn(account: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(account[:8], signed=True)])
