"""Use cases of accounts: register, sign in, change or reset the password, confirm the address."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction

from players.accounts import names, passwords
from players.accounts.models import Player
from players.database.idempotency import IdempotentRequest, IdempotentResponse, once
from players.database.refusal import RequestRefused
from players.limits import lockout
from players.mail import delivery, email_addresses
from players.mail.signed_links import Purpose
from players.moderation.bans import ban_refusal, is_in_future
from players.sessions import lifecycle
from players.sessions.directory import directory
from players.sessions.identity import Identity
from players.sessions.lifecycle import NewSession, open_session

NO_PLAYER = UUID(int=0)  # an unknown address is queued under this id, so that its request takes as long


class Registration(NamedTuple):
    """What a player enters to register."""

    name: str
    email: str
    password: str
    device: str = ""

    def __repr__(self) -> str:
        return f"Registration({self.name})"  # logs must contain neither the address nor the password


def register(registration: Registration, guest: Identity | None, language: str, now: datetime) -> NewSession:
    """Create an account. A guest who registers keeps their id, their games and their sessions, among them
    the calling one: it can repeat the request."""
    if guest is not None and not guest.is_guest:
        raise RequestRefused("not_allowed")
    email = email_addresses.normalize(registration.email)
    if error := email_addresses.address_error(email):
        raise RequestRefused("malformed", errors=[("/email", *error)])
    fields = {"name": names.validated("/name", registration.name, names.name_error), "email": email}
    device = names.validated("/device", registration.device, names.device_error)
    passwords.check_strength(registration.password, Player(**fields), "/password")
    if Player.objects.filter(email=email).exists():
        raise RequestRefused("email_taken")
    fields["password"] = passwords.hash_password(registration.password)
    new_session = _store_account(fields, guest, device, now)
    transaction.on_commit(lambda: delivery.enqueue("confirm", new_session.player.id, language))
    return new_session


def _store_account(fields: dict[str, str], guest: Identity | None, device: str, now: datetime) -> NewSession:
    try:
        with transaction.atomic():
            player = _locked_guest(guest.player) if guest else Player()
            player.became_account_at = now if guest else None
            for name, value in fields.items():
                setattr(player, name, value)
            player.save()
            new_session = open_session(player, device, now)
            transaction.on_commit(lambda: directory.forget(player.pk))
            return new_session
    except IntegrityError:  # another request has just registered this address
        raise RequestRefused("email_taken") from None


def _locked_guest(player_id: UUID) -> Player:
    """When two devices register the same guest at once, the second waits here and is refused."""
    player = Player.objects.select_for_update().filter(pk=player_id, is_active=True).first()
    if player is None:
        raise RequestRefused("not_authenticated")
    if player.email is not None:
        raise RequestRefused("not_allowed")
    return player


def sign_in(email: str, password: str, device: str, address: str, now: datetime) -> NewSession:
    """A wrong address and a wrong password get the same response after the same time."""
    email = email_addresses.normalize(email)
    device = names.validated("/device", device, names.device_error)

    def work() -> NewSession:
        player = Player.objects.filter(email=email).first()
        _check_password(password, player)
        account = _locked_account(player)
        session = open_session(account, device, now)
        lifecycle.log_out_surplus(account.pk, now)
        return session

    return lockout.guarded(email, address, now, work)


def _locked_account(checked: Player | None) -> Player:
    """Read the account again and lock it: it may have changed while the password was being hashed."""
    rows = Player.objects.select_for_update(no_key=True)
    player = rows.filter(email=checked.email).first() if checked else None
    if checked is None or player is None or player.password != checked.password:
        raise RequestRefused("invalid_credentials")
    if not player.is_active:
        raise RequestRefused("banned")
    if player.banned_until is not None and is_in_future(player.banned_until):
        raise ban_refusal(player.banned_until)
    return player


def _check_password(password: str, player: Player | None) -> None:
    if not passwords.is_correct(password, player.password if player else None):
        raise RequestRefused("invalid_credentials")


def change_password(
    caller: Identity, old: str, new: str, address: str, request: IdempotentRequest, now: datetime
) -> IdempotentResponse:
    """Change the password and log all other devices out: the old password may have been stolen."""
    player = Player.objects.filter(pk=caller.player).first()
    if player is None or player.email is None:
        raise RequestRefused("not_allowed")
    email = player.email

    def change() -> IdempotentResponse:
        current = Player.objects.select_for_update().get(pk=caller.player)
        _check_password(old, current)
        passwords.check_strength(new, current, "/new")
        _set_password(current, new)
        lifecycle.revoke_others(caller.player, caller.session, now)
        return IdempotentResponse(204)

    return lockout.guarded(email, address, now, lambda: once(request, now, change))


def _set_password(player: Player, password: str) -> None:
    player.password = passwords.hash_password(password)
    player.save(update_fields=["password"])


def request_reset(email: str, language: str) -> None:
    """Neither the response nor its time reveals whether an account has this address."""
    player = Player.objects.filter(email=email_addresses.normalize(email)).values_list("pk", flat=True).first()
    if not delivery.enqueue("reset", player or NO_PLAYER, language):
        raise RequestRefused("unavailable")


def request_confirmation(player: UUID, language: str) -> None:
    if Player.objects.filter(pk=player, email=None).exists():
        raise RequestRefused("not_allowed")
    if not delivery.enqueue("confirm", player, language):
        raise RequestRefused("unavailable")


def reset_password(token: str, new: str, now: datetime) -> None:
    """Set a new password by a mailed link, log all devices out and forget failed attempts to sign in."""

    def reset(player: Player) -> None:
        passwords.check_strength(new, player, "/new")
        _set_password(player, new)
        lifecycle.revoke_all(player.pk, now)
        lockout.forget(lockout.FAILURES_PER_ACCOUNT, player.email or "")

    _use_link(token, "reset", reset, now)


def confirm_address(token: str, now: datetime) -> None:
    """Confirm the address by a mailed link."""

    def confirm(player: Player) -> None:
        player.email_confirmed_at = now
        player.save(update_fields=["email_confirmed_at"])

    _use_link(token, "confirm", confirm, now)


def _use_link(token: str, purpose: Purpose, work: Callable[[Player], None], now: datetime) -> None:
    """When two requests use one link at once, the second finds it used."""
    with transaction.atomic():
        recipient = delivery.recipient(token, purpose, now)
        player = recipient and Player.objects.select_for_update().filter(pk=recipient.pk).first()
        if not player or delivery.recipient(token, purpose, now) is None:
            raise RequestRefused("link_expired")
        work(player)
