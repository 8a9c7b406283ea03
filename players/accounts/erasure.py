"""Deletion of players: personal data is erased and the id stays, because games and their logs refer to it."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from players import extensions
from players.accounts.models import IS_GUEST, Erasure, Player
from players.database.models import IdempotencyKey, RegistrationKey
from players.database.refusal import RequestRefused
from players.limits import lockout
from players.moderation import reports, second_factor, staff_sessions
from players.ratings import leaderboard_projection
from players.sessions import lifecycle
from players.sessions.directory import directory
from players.sessions.identity import deleted_profile
from players.sessions.models import Session
from players.social import blocks

GUEST_EXPIRES_AFTER = timedelta(days=90)  # without a request
BATCH = 200

logger = logging.getLogger(__name__)


def delete(player_id: UUID, now: datetime) -> None:
    """Delete a player at their own request."""
    if not Player.objects.filter(pk=player_id, erased_at=None).exists():
        raise RequestRefused("not_authenticated")
    erase(player_id, now)


def erase(player_id: UUID, now: datetime, condition: Callable[[Player], bool] = lambda _: True) -> None:
    """Once this is committed, no token works and no personal data is left. Erasing a player twice is harmless."""
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.erased_at is not None or not condition(player):
            return
        lifecycle.revoke_all(player_id, now)  # waits for appends under way; the player leaves those games below
        _delete_rows(player)
        for eraser in extensions.current().erasers:
            eraser(player_id)
        Erasure.objects.create(player=player, at=now)
        _make_anonymous(player, now)
        transaction.on_commit(lambda: directory.forget(player_id))
    _leave_games(player_id, now)
    for bot in Player.objects.filter(bot_owner=player_id):
        erase(bot.pk, now)


def _leave_games(player_id: UUID, now: datetime) -> None:
    """A failure does not undo the deletion; `finish` tries again."""
    try:
        extensions.current().leave_games(player_id, now)
    except Exception:
        logger.exception("player %s is deleted but has not left all games yet", player_id)
    else:
        Erasure.objects.filter(player=player_id).delete()


def _delete_rows(player: Player) -> None:
    if player.email:
        lockout.forget(lockout.FAILURES_PER_ACCOUNT, player.email)
    for limit in (lockout.MAILS, lockout.WRONG_CODES_PER_PLAYER):
        lockout.forget(limit, str(player.pk))
    Session.objects.filter(player=player).delete()
    IdempotencyKey.objects.filter(player=player).delete()
    RegistrationKey.objects.filter(player=player).delete()
    # The admin's history contains the name that the player had.
    LogEntry.objects.filter(object_id=str(player.pk)).update(object_repr="", change_message="")
    of_staff = (second_factor.erase, staff_sessions.erase)
    for erase_rows in (leaderboard_projection.erase, reports.erase, *of_staff, blocks.erase):
        erase_rows(player.pk)


def _make_anonymous(player: Player, now: datetime) -> None:
    player.groups.clear()
    player.user_permissions.clear()
    player.name, player.email, player.locale = deleted_profile(player.pk).name, None, ""
    player.password, player.last_login, player.email_confirmed_at = make_password(None), None, None
    player.is_staff = player.is_superuser = player.is_active = False
    player.erased_at, player.bot_owner = now, None
    player.save()


def finish(now: datetime) -> None:
    """Finish deletions that were interrupted."""
    for player_id in Erasure.objects.filter(at__lt=now - timedelta(minutes=1)).values_list("player", flat=True):
        _leave_games(player_id, now)
    for bot in Player.objects.filter(bot_owner__erased_at__isnull=False):
        erase(bot.pk, now)


def delete_unused_guests(now: datetime) -> int:
    """Erase guests who have not been seen for long, and return their number."""
    unused, deleted, last = _unused_guests(now - GUEST_EXPIRES_AFTER).order_by("pk"), 0, UUID(int=0)
    while batch := list(unused.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        playing = extensions.current().players_in_games(batch)
        for guest in batch:
            if guest not in playing:
                erase(guest, now, lambda player: player.is_guest)
                deleted += 1
        last = batch[-1]
    return deleted


def _unused_guests(since: datetime) -> QuerySet[Player]:
    seen = Session.objects.filter(player=OuterRef("pk"), last_seen_at__gte=since)
    guests = Player.objects.filter(IS_GUEST, is_staff=False, is_active=True, created_at__lt=since)
    return guests.filter(~Exists(seen))
