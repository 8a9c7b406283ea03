"""Bot accounts: players that programs play as, made by the account that owns them; a bot never becomes a person."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from players.accounts import erasure, names
from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.integrations.access_tokens import lock_account
from players.limits.budgets import BOTS_PER_ACCOUNT


@transaction.atomic
def create(owner: UUID, name: str) -> Player:
    """A bot account has no address, no password and no session: it acts by tokens of scope `bots` only."""
    account = lock_account(owner)
    if owned_by(owner).count() >= BOTS_PER_ACCOUNT:
        raise RequestRefused("too_many_bots")
    bot = Player(name=names.validated("/name", name, names.name_error), bot_owner=account)
    bot.set_unusable_password()
    bot.save(force_insert=True)
    return bot


def owned_by(owner: UUID) -> QuerySet[Player]:
    return Player.objects.filter(bot_owner=owner, is_active=True).order_by("-pk")


def delete(owner: UUID, bot: UUID, now: datetime) -> None:
    """As the deletion of an account: tokens end, games are left, seats show `Player`."""
    if not owned_by(owner).filter(pk=bot).exists():
        raise RequestRefused("not_found")
    erasure.erase(bot, now)


def view(bot: Player) -> dict[str, Any]:
    return {"id": bot.pk, "name": bot.name, "is_guest": False, "is_bot": True, "created_at": bot.created_at}
