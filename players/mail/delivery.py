"""Mails to players, in their language and with a signed link: queued by a request, sent by a worker.

A request queues only the id of a player. The worker decides whether a mail is sent, so that neither the response nor
its time reveals whether an account exists.
"""

import logging
from datetime import datetime
from uuid import UUID

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.core.mail import send_mail

from players.accounts.models import Player
from players.limits import lockout
from players.mail import signed_links
from players.mail.mail_texts import texts
from players.mail.signed_links import Purpose
from players.telemetry.shared_counter import SharedCounter

TASK = "players.mail"

MAIL_FAILURES = SharedCounter("qwixx_mail_failures", "Mails that could not be queued, and failed attempts to send.")

logger = logging.getLogger(__name__)


def enqueue(purpose: Purpose, player: UUID, language: str) -> bool:
    """Queue a mail; False if the broker cannot be reached."""
    try:
        current_app.send_task(TASK, [purpose, str(player), language])
    except kombu.exceptions.OperationalError as error:
        MAIL_FAILURES.count()
        logger.warning("a mail could not be queued: %s", error)
        return False
    return True


def send(purpose: Purpose, player_id: UUID, language: str, now: datetime) -> bool:
    """Send the mail; False if the player has no address, does not need it or has received too many mails."""
    player = Player.objects.filter(pk=player_id, is_active=True, email__isnull=False).first()
    if player is None or not is_due(player, purpose) or lockout.wait_s(lockout.MAILS, str(player_id), now) is not None:
        return False
    text = texts(player.locale or language)[f"mail_{purpose}"]
    token = signed_links.sign(purpose, player_id, signed_state(player, purpose), now)
    link = f"{settings.PUBLIC_URL}/account/{purpose}/{token}"
    try:
        send_mail(text["subject"], text["body"].strip().format(link=link), None, [str(player.email)])
    except OSError:  # of the connection, or SMTPException
        MAIL_FAILURES.count()
        raise
    lockout.count(lockout.MAILS, str(player_id), now)
    return True


def is_due(player: Player, purpose: Purpose) -> bool:
    """An address is confirmed once; only a confirmed address is sent a link for a new password."""
    is_confirmed = player.email_confirmed_at is not None
    return is_confirmed if purpose == "reset" else not is_confirmed


def signed_state(player: Player, purpose: Purpose) -> str:
    """What the link will change, and the address that it was mailed to: a change of either invalidates the link."""
    changes = player.password if purpose == "reset" else player.email_confirmed_at
    return f"{player.email}|{changes}"


def recipient(token: str, purpose: Purpose, now: datetime) -> Player | None:
    """The player to whom a link was mailed, if it is still valid."""

    def state_of(player_id: UUID) -> str | None:
        player = Player.objects.filter(pk=player_id, is_active=True).first()
        return None if player is None or not player.email else signed_state(player, purpose)

    player_id = signed_links.verify(token, purpose, state_of, now)
    return None if player_id is None else Player.objects.get(pk=player_id)
