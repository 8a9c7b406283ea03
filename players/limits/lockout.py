"""Limits on attempts that must hold across processes and restarts, such as wrong passwords and join codes, counted in
PostgreSQL.

Each row holds a keyed hash of the account or address, and is kept for an hour at most.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from django.db import connection, transaction
from django.utils.crypto import salted_hmac
from prometheus_client import Counter

from players.database.refusal import RequestRefused
from players.limits import budgets
from players.limits.models import Attempt

Result = TypeVar("Result")
KEPT_FOR = timedelta(hours=1)

PASSWORD_CHECKS = Counter(
    "qwixx_password_checks", "Checks of a password (sign-in, admin, change of the password), by outcome.", ["outcome"]
)


class AttemptLimit(NamedTuple):
    name: str
    attempts: int
    window: timedelta


FAILURES_PER_ACCOUNT = AttemptLimit("account", budgets.WRONG_PASSWORDS_PER_ACCOUNT, timedelta(minutes=1))
FAILURES_PER_ADDRESS = AttemptLimit("address", budgets.WRONG_PASSWORDS_PER_ADDRESS, timedelta(minutes=1))
WRONG_CODES_PER_PLAYER = AttemptLimit("code.player", budgets.WRONG_CODES_PER_PLAYER, timedelta(minutes=1))
WRONG_CODES_PER_ADDRESS = AttemptLimit("code.address", budgets.WRONG_CODES_PER_ADDRESS, timedelta(minutes=1))
MAILS = AttemptLimit("mail", 4, KEPT_FOR)


def key(limit: AttemptLimit, subject: str) -> bytes:
    return salted_hmac(f"players.lockout.{limit.name}", subject, algorithm="sha256").digest()


def guarded(email: str, address: str, now: datetime, work: Callable[[], Result]) -> Result:
    """Run work that checks a password; a wrong password is counted although the rest is rolled back."""
    counted = ((FAILURES_PER_ACCOUNT, email), (FAILURES_PER_ADDRESS, address))
    outcome = "failed"
    try:
        result = run_counted(counted, now, work, RequestRefused, "invalid_credentials")
        outcome = "ok"
        return result
    except RequestRefused as refused:
        outcome = refused.code
        raise
    finally:
        PASSWORD_CHECKS.labels(outcome).inc()


def guarded_code(
    player: str, address: str, now: datetime, work: Callable[[], Result], error: type[Exception]
) -> Result:
    """Run work that looks a join code up; `error` with the code `not_found` is counted as a wrong join code."""
    counted = ((WRONG_CODES_PER_PLAYER, player), (WRONG_CODES_PER_ADDRESS, address))
    return run_counted(counted, now, work, error, "not_found")


def run_counted(
    counted: Sequence[tuple[AttemptLimit, str]],
    now: datetime,
    work: Callable[[], Result],
    error: type[Exception],
    code: str,
) -> Result:
    """Run work, and count an error with this code against each limit.

    Requests with the same first subject run one after the other, or parallel guesses would all be checked before the
    first counts.
    """
    failure: Exception | None = None
    for limit, subject in counted:
        refuse_if_reached(limit, subject, now)
    with transaction.atomic():
        _lock(key(*counted[0]))
        refuse_if_reached(*counted[0], now)
        try:
            with transaction.atomic():
                return work()
        except error as refused:
            if getattr(refused, "code", "") != code:
                raise
            failure = refused
            for limit, subject in counted:
                count(limit, subject, now)
    raise failure


def refuse_if_reached(limit: AttemptLimit, subject: str, now: datetime) -> None:
    wait = wait_s(limit, subject, now)
    if wait is not None:
        raise RequestRefused("too_many_requests", retry_after=wait)


def wait_s(limit: AttemptLimit, subject: str, now: datetime) -> float | None:
    """None below the limit, else the seconds until the oldest counted attempt leaves the window."""
    recent = Attempt.objects.filter(key=key(limit, subject), at__gt=now - limit.window).order_by("-at")
    counted = list(recent.values_list("at", flat=True)[: limit.attempts])
    return (counted[-1] + limit.window - now).total_seconds() if len(counted) == limit.attempts else None


def count(limit: AttemptLimit, subject: str, now: datetime) -> None:
    Attempt.objects.create(key=key(limit, subject), at=now)


def forget(limit: AttemptLimit, subject: str) -> None:
    Attempt.objects.filter(key=key(limit, subject)).delete()


def delete_expired(now: datetime) -> None:
    Attempt.objects.filter(at__lt=now - KEPT_FOR).delete()


def _lock(subject: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(subject[:8], signed=True)])
