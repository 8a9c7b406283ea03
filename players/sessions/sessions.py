"""Players' use cases: a guest and a token for a device, devices logged out, a name changed; knows no HTTP."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction

from players.accounts import names
from players.database.refusal import Refused
from players.models import Player, Session, SessionQuerySet
from players.sessions import tokens
from players.sessions.directory import directory
from players.sessions.identity import Profile


class Opened(NamedTuple):
    """A new session. The token is shown here and never again."""

    player: Profile
    session: UUID
    token: str

    def __repr__(self) -> str:
        return f"Opened({self.player}, {self.session})"  # what is printed or logged has no token


def make_guest(now: datetime, name: str | None = None, device: str = "") -> Opened:
    """A player without address or password, and a session for the device that asks."""
    called = f"Guest {1000 + secrets.randbelow(9000)}" if name is None else fit("/name", name, names.flaw_of_name)
    device = fit("/device", device, names.flaw_of_device)
    player = Player(name=called)
    player.set_unusable_password()
    with transaction.atomic():
        player.save(force_insert=True)
        return open_session(player, device, now)


def open_session(player: Player, device: str, now: datetime) -> Opened:
    """One more device of a player."""
    token = tokens.new()
    session = Session(player=player, token_hash=tokens.digest(token), device=device, last_seen_at=now)
    session.save(force_insert=True)
    return Opened(shown(player), session.pk, token)


def sessions_of(player: UUID) -> SessionQuerySet:
    """The devices that are logged in, the newest first."""
    return Session.objects.filter(player=player, revoked_at=None).order_by("-pk")


def revoke(player: UUID, session: UUID, now: datetime) -> None:
    """Log one of the player's devices out."""
    if not _revoked(sessions_of(player).filter(pk=session), now):
        raise Refused("not_found")


def log_out(session: UUID, now: datetime) -> None:
    """The device that asks; that another call was faster is no trouble."""
    _revoked(Session.objects.filter(pk=session), now)


def revoke_all(player: UUID, now: datetime) -> None:
    """Log all of the player's devices out."""
    _revoked(sessions_of(player), now)


def revoke_others(player: UUID, session: UUID, now: datetime) -> None:
    """Log all of the player's devices out but this one."""
    _revoked(sessions_of(player).exclude(pk=session), now)


def _revoked(sessions: SessionQuerySet, now: datetime) -> list[UUID]:
    """Other processes hear of it from the database; this one need not wait for that."""
    revoked = sessions.revoke(now)
    transaction.on_commit(lambda: directory.forget(*revoked))
    return revoked


def change(player: UUID, *, name: str | None = None, locale: str | None = None) -> None:
    """Another name or language; what is None stays."""
    changed: dict[str, str] = {}
    if name is not None:
        changed["name"] = fit("/name", name, names.flaw_of_name)
    if locale is not None:
        changed["locale"] = fit("/locale", locale, flaw_of_locale)
    if changed and not Player.objects.filter(pk=player, is_active=True).update(**changed):
        raise Refused("not_authenticated")  # deleted a moment ago
    transaction.on_commit(lambda: directory.forget(player))


def locales() -> list[str]:
    """What may be chosen; the empty one leaves it to each request."""
    return ["", *(code for code, _ in settings.LANGUAGES)]


def flaw_of_locale(locale: str) -> str | None:
    return None if locale in locales() else f'one of {", ".join(locales()[1:])}, ""'


def fit(pointer: str, text: str, flaw_of: Callable[[str], str | None]) -> str:
    """The text as it is stored, or a refusal that points at it."""
    flaw = flaw_of(names.trimmed(text))
    if flaw:
        raise Refused("malformed", errors=[(pointer, flaw)])
    return names.trimmed(text)


def shown(player: Player) -> Profile:
    return Profile(player.pk, player.name, is_guest=player.email is None)
