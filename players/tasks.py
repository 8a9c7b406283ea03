"""Celery tasks of players: mails, and the deletion of expired data."""

from datetime import UTC, datetime
from uuid import UUID

from celery import shared_task

from players.accounts import erasure, registration_keys
from players.database import idempotency
from players.limits import lockout
from players.mail import delivery
from players.mail.signed_links import Purpose
from players.sessions import lifecycle


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (adapters read the clock)


@shared_task(name=delivery.TASK, autoretry_for=(OSError,), retry_backoff=5, max_retries=6)
def send(purpose: Purpose, player: str, language: str) -> None:
    """Send a mail; while the mail server cannot be reached, the task is retried for some minutes."""
    delivery.send(purpose, UUID(player), language, now())


@shared_task(name="players.sweep")
def sweep() -> None:
    """Two workers may run this at the same time."""
    erasure.finish(now())
    erasure.delete_unused_guests(now())
    lockout.delete_expired(now())
    idempotency.delete_expired(now())
    registration_keys.delete_expired(now())
    lifecycle.delete_ended(now())
