"""What is mailed to players: written in their language, with a link in it; and how it is handed to whoever sends it.

A call only says for whom a mail is wanted, by an opaque id. A worker finds out whether there is anybody to write to, so
that neither the answer nor the time it takes tells.
"""

import logging
from datetime import datetime
from uuid import UUID

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.core.mail import send_mail

from players.accounts import mail_links
from players.accounts.mail_links import Purpose
from players.accounts.mail_texts import words
from players.limits import lockout
from players.models import Player

TASK = "players.mail"

logger = logging.getLogger(__name__)


def hand_over(purpose: Purpose, player: UUID, language: str) -> bool:
    """Whether it could be: without a broker nothing is mailed, and one may ask again."""
    try:
        current_app.send_task(TASK, [purpose, str(player), language])
    except kombu.exceptions.OperationalError as trouble:
        logger.warning("a mail could not be handed over: %s", trouble)
        return False
    return True


def send(purpose: Purpose, player_id: UUID, language: str, now: datetime) -> bool:
    """Whether there was somebody to write to, who has not had too many mails of late."""
    player = Player.objects.filter(pk=player_id, is_active=True, email__isnull=False).first()
    if player is None or not is_due(player, purpose) or lockout.wait_s(lockout.MAILS, str(player_id), now) is not None:
        return False
    said = words(player.locale or language)[f"mail_{purpose}"]
    link = (
        f"{settings.PUBLIC_URL}/account/{purpose}/{mail_links.token(purpose, player_id, state(player, purpose), now)}"
    )
    send_mail(said["subject"], said["body"].strip().format(link=link), None, [str(player.email)])
    lockout.note(lockout.MAILS, str(player_id), now)
    return True


def is_due(player: Player, purpose: Purpose) -> bool:
    """An address is confirmed once, and before a link for a new password may be sent to it."""
    is_confirmed = player.email_confirmed_at is not None
    return is_confirmed if purpose == "reset" else not is_confirmed


def state(player: Player, purpose: Purpose) -> str:
    """What the link will change, and whom it was mailed to."""
    changes = player.password if purpose == "reset" else player.email_confirmed_at
    return f"{player.email}|{changes}"


def reader(token: str, purpose: Purpose, now: datetime) -> Player | None:
    """Who was mailed a link that still holds."""

    def state_of(player_id: UUID) -> str | None:
        player = Player.objects.filter(pk=player_id, is_active=True).first()
        return None if player is None or not player.email else state(player, purpose)

    player_id = mail_links.owner(token, purpose, state_of, now)
    return None if player_id is None else Player.objects.get(pk=player_id)
