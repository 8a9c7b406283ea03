"""What a worker does for players: mails, and the sweep of what nobody needs any more."""

from datetime import UTC, datetime
from uuid import UUID

from celery import shared_task

from players.accounts import erasure, mail
from players.accounts.mail_links import Purpose
from players.database import idempotency
from players.limits import lockout


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (a door)


@shared_task(name=mail.TASK, autoretry_for=(OSError,), retry_backoff=5, max_retries=6)
def send(purpose: Purpose, player: str, language: str) -> None:
    """A mail server that cannot be reached is tried again for some minutes."""
    mail.send(purpose, UUID(player), language, now())


@shared_task(name="players.sweep")
def sweep() -> None:
    """Safe to run twice at once: whoever comes second finds less to do."""
    erasure.finish(now())
    erasure.sweep_guests(now())
    lockout.sweep(now())
    idempotency.sweep(now())
