"""Deletion: the person goes, an opaque id stays, so that games and their chains hold.

Others keep things about players, too, and games have to be left; this app may not know of either. They say so here at
start-up, as plain functions of a player's id.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from players.database.refusal import Refused
from players.limits import lockout
from players.models import GUESTS, Erasure, Player, Receipt, Session
from players.sessions import sessions
from players.sessions.directory import directory
from players.sessions.identity import nobody

UNUSED = timedelta(days=90)  # after which a guest is taken to have gone
BATCH = 200

# In the transaction of the deletion: delete what is kept about the player.
ERASERS: list[Callable[[UUID], None]] = []
# After it, and again if that was interrupted: leave what is under way, with an append of its own each.
FAREWELLS: list[Callable[[UUID, datetime], None]] = []
# Which of these players cannot be spared yet, though nobody has seen them for long.
ENGAGED: list[Callable[[Iterable[UUID]], set[UUID]]] = []

logger = logging.getLogger(__name__)


def erase(player_id: UUID, now: datetime, expected: Callable[[Player], bool] = lambda _: True) -> None:
    """From its commit on no token works and nothing is left of the person. Doing it again does nothing."""
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.erased_at is not None or not expected(player):
            return
        sessions.revoke_all(player_id, now)  # waits for appends under way; what they joined is left below
        for eraser in (_erase_here, *ERASERS):
            eraser(player_id)
        Erasure.objects.create(player=player, at=now)
        _make_nobody(player, now)
        transaction.on_commit(lambda: directory.forget(player_id))
    say_farewell(player_id, now)


def say_farewell(player_id: UUID, now: datetime) -> None:
    """What fails is done by the next sweep: the deletion itself stands."""
    try:
        for farewell in FAREWELLS:
            farewell(player_id, now)
    except Exception:
        logger.exception("player %s is deleted and has not left all games yet", player_id)
    else:
        Erasure.objects.filter(player=player_id).delete()


def _erase_here(player_id: UUID) -> None:
    email = Player.objects.values_list("email", flat=True).get(pk=player_id)
    if email:
        lockout.forget(lockout.FAILURES_PER_ACCOUNT, email)
    lockout.forget(lockout.MAILS, str(player_id))
    Session.objects.filter(player=player_id).delete()
    Receipt.objects.filter(player=player_id).delete()
    # The admin notes under what name somebody was changed.
    LogEntry.objects.filter(object_id=str(player_id)).update(object_repr="", change_message="")


def _make_nobody(player: Player, now: datetime) -> None:
    player.groups.clear()
    player.user_permissions.clear()
    player.name, player.email, player.locale = nobody(player.pk).name, None, ""
    player.password, player.last_login, player.email_confirmed_at = make_password(None), None, None
    player.is_staff = player.is_superuser = player.is_active = False
    player.erased_at = now
    player.save()


def finish(now: datetime) -> None:
    """Deletions that were interrupted."""
    for player_id in Erasure.objects.filter(at__lt=now - timedelta(minutes=1)).values_list("player", flat=True):
        say_farewell(player_id, now)


def sweep_guests(now: datetime) -> int:
    """Guests who have not been seen for long go, as if they had deleted themselves; how many went."""
    swept, last = 0, UUID(int=0)
    while batch := list(_unused(now - UNUSED).filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        engaged = set().union(*(are_engaged(batch) for are_engaged in ENGAGED))
        for guest in batch:
            if guest not in engaged:
                erase(guest, now, lambda player: player.email is None)
                swept += 1
        last = batch[-1]
    return swept


def _unused(since: datetime) -> QuerySet[Player]:
    seen = Session.objects.filter(player=OuterRef("pk"), last_seen_at__gte=since)
    guests = Player.objects.filter(GUESTS, is_staff=False, is_active=True, created_at__lt=since)
    return guests.filter(~Exists(seen))


def delete(player_id: UUID, now: datetime) -> None:
    """As the player himself asks for it."""
    if not Player.objects.filter(pk=player_id, erased_at=None).exists():
        raise Refused("not_authenticated")
    erase(player_id, now)
