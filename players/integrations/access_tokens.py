"""Personal access tokens: sessions with scopes, made and revoked by the account that owns them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.limits.budgets import TOKENS_PER_ACCOUNT
from players.sessions import lifecycle, tokens
from players.sessions.identity import Profile
from players.sessions.models import Session, SessionQuerySet
from players.sessions.scopes import ACCOUNT, BOTS, PLAY, READ

OWN_SCOPES = (READ, PLAY, ACCOUNT)  # of a token that acts as its owner
BOT_SCOPES = (READ, BOTS)  # of a token that acts as a bot account


class NewAccessToken(NamedTuple):
    """A token with its text, which is shown only once."""

    row: Session
    token: str

    def __repr__(self) -> str:
        return f"NewAccessToken({self.row.pk})"  # logs must not contain the token


def create(
    owner: UUID, name: str, scopes: Sequence[str], expires_at: datetime | None, bot: UUID | None, now: datetime
) -> NewAccessToken:
    """A token that acts as the account itself, or as one of its bot accounts."""
    allowed = OWN_SCOPES if bot is None else BOT_SCOPES
    if not set(scopes) <= set(allowed):
        raise RequestRefused("malformed", errors=[("/scopes", "not_one_of", f"each one of {', '.join(allowed)}")])
    if expires_at is not None and expires_at <= now:
        raise RequestRefused("malformed", errors=[("/expires_at", "out_of_range", "a time in the future")])
    with transaction.atomic():
        account = lock_account(owner)
        _must_have_room(owner, now)
        player = account if bot is None else account.bots.filter(pk=bot, is_active=True).first()
        if player is None:
            raise RequestRefused("malformed", errors=[("/bot", "not_one_of", "a bot account of the caller")])
        return _new(player, name, scopes, expires_at)


def lock_account(player: UUID) -> Player:
    """An account, locked so that its tokens are counted one after the other; guests own none."""
    account = Player.objects.select_for_update(no_key=True).filter(pk=player, is_active=True).first()
    if account is None:  # deleted after the request was authenticated
        raise RequestRefused("not_authenticated")
    if account.email is None:
        raise RequestRefused("not_allowed")
    return account


def _must_have_room(owner: UUID, now: datetime) -> None:
    if owned_by(owner).filter(Q(expires_at=None) | Q(expires_at__gt=now)).count() >= TOKENS_PER_ACCOUNT:
        raise RequestRefused("too_many_tokens")


def _new(player: Player, name: str, scopes: Sequence[str], expires_at: datetime | None) -> NewAccessToken:
    token = tokens.new()
    row = Session(
        player=player, token_hash=tokens.digest(token), device=name, scopes=sorted(set(scopes)), expires_at=expires_at
    )
    row.save(force_insert=True)
    return NewAccessToken(row, token)


def owned_by(owner: UUID) -> SessionQuerySet:
    """The tokens of an account and of its bot accounts that are not revoked, the newest first."""
    of_owner = Q(player=owner) | Q(player__bot_owner=owner)
    return Session.objects.filter(of_owner, revoked_at=None, scopes__isnull=False).order_by("-pk")


def revoke(owner: UUID, token: UUID, now: datetime) -> None:
    lifecycle.revoke_token(owned_by(owner).filter(pk=token), now)


def view(row: Session, player: Profile) -> dict[str, Any]:
    return {
        "id": row.pk,
        "name": row.device,
        "scopes": row.scopes,
        "player": player._asdict(),
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "last_used_at": row.last_seen_at,
    }
