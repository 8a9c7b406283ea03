"""Sessions of players: opened for a device or as a personal access token, listed and revoked."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.limits.budgets import DEVICES_PER_PLAYER
from players.sessions import tokens
from players.sessions.directory import directory
from players.sessions.identity import Profile
from players.sessions.models import Session, SessionQuerySet

KEPT_FOR = timedelta(days=30)  # a session that has ended: its player finds it in the data export
BATCH = 1000


class NewSession(NamedTuple):
    """A session with its token, which is shown only once."""

    player: Profile
    session: UUID
    token: str

    def __repr__(self) -> str:
        return f"NewSession({self.player}, {self.session})"  # logs must not contain the token


def open_session(player: Player, device: str, now: datetime) -> NewSession:
    """Log one more device of a player in."""
    token = tokens.new()
    session = Session(player=player, token_hash=tokens.digest(token), device=device, last_seen_at=now)
    session.save(force_insert=True)
    profile = Profile(player.pk, player.name, is_guest=player.is_guest, is_bot=player.is_bot)
    return NewSession(profile, session.pk, token)


def log_out_surplus(player: UUID, now: datetime) -> None:
    """Keep the devices that were used last; the caller has locked the player."""
    by_use = active_sessions(player).order_by(F("last_seen_at").desc(nulls_last=True), "-pk")
    if surplus := list(by_use.values_list("pk", flat=True)[DEVICES_PER_PLAYER:]):
        _revoke(Session.objects.filter(pk__in=surplus), now)


def active_sessions(player: UUID) -> SessionQuerySet:
    """The devices that are logged in, newest first."""
    return _unrevoked(player).filter(scopes=None).order_by("-pk")


def revoke(player: UUID, session: UUID, now: datetime) -> None:
    """Log one of the player's devices out."""
    if not _revoke(active_sessions(player).filter(pk=session), now):
        raise RequestRefused("not_found")


def log_out(session: UUID, now: datetime) -> None:
    """Log the calling device out; a session that is already revoked is no error."""
    _revoke(Session.objects.filter(pk=session), now)


def revoke_all(player: UUID, now: datetime) -> None:
    """Log all of the player's devices out, and revoke their personal access tokens."""
    _revoke(_unrevoked(player), now)


def revoke_others(player: UUID, session: UUID, now: datetime) -> None:
    """The same except for this device."""
    _revoke(_unrevoked(player).exclude(pk=session), now)


def revoke_token(sessions: SessionQuerySet, now: datetime) -> None:
    """Revoke one personal access token, of which no events are appended any more."""
    if not _revoke(sessions.filter(revoked_at=None).exclude(scopes=None), now):
        raise RequestRefused("not_found")


def delete_ended(now: datetime) -> None:
    """Delete sessions that were revoked, or expired, long ago: nothing of them is under way any more."""
    while _delete_batch(now - KEPT_FOR):
        pass


@transaction.atomic
def _delete_batch(until: datetime) -> int:
    ended = Session.objects.filter(Q(revoked_at__lte=until) | Q(expires_at__lte=until))
    batch = list(ended.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH])
    Session.objects.filter(pk__in=batch).delete()
    return len(batch)


def _unrevoked(player: UUID) -> SessionQuerySet:
    return Session.objects.filter(player=player, revoked_at=None)


def _revoke(sessions: SessionQuerySet, now: datetime) -> list[UUID]:
    """Other processes are notified by the database; this process forgets the sessions at once."""
    revoked = sessions.revoke(now)
    transaction.on_commit(lambda: directory.forget(*revoked))
    return revoked
