"""Use cases of accounts: register, sign in, another password, an address confirmed; knows no HTTP."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction

from players.accounts import email_addresses, mail, names, passwords
from players.accounts.mail_links import Purpose
from players.database.idempotency import Answer, Asked, once
from players.database.refusal import Refused
from players.limits import lockout
from players.models import Player
from players.sessions import sessions
from players.sessions.directory import banned, directory, is_ahead
from players.sessions.identity import Identity
from players.sessions.sessions import Opened, fit, open_session

NOBODY = UUID(int=0)  # in place of whom a stranger's address does not name


class Details(NamedTuple):
    """What somebody says of himself when he registers."""

    name: str
    email: str
    password: str
    device: str = ""

    def __repr__(self) -> str:
        return f"Details({self.name})"  # what is printed or logged has neither address nor password


def register(details: Details, guest: Identity | None, language: str, now: datetime) -> Opened:
    """A new account; or a guest who becomes one, and keeps his id, his games and the devices he is known on."""
    if guest is not None and not guest.is_guest:
        raise Refused("not_allowed")
    email = email_addresses.normal(details.email)
    flaw = email_addresses.flaw_of_address(email)
    if flaw:
        raise Refused("malformed", errors=[("/email", flaw)])
    said = {"name": fit("/name", details.name, names.flaw_of_name), "email": email}
    device = fit("/device", details.device, names.flaw_of_device)
    passwords.check_strength(details.password, Player(**said), "/password")
    if Player.objects.filter(email=email).exists():
        raise Refused("email_taken")
    said["password"] = passwords.hashed(details.password)
    opened = _stored(said, guest, device, now)
    mail.hand_over("confirm", opened.player.id, language)
    return opened


def _stored(said: dict[str, str], guest: Identity | None, device: str, now: datetime) -> Opened:
    try:
        with transaction.atomic():
            player = _upgraded(guest.player) if guest else Player()
            player.became_account_at = now if guest else None
            for name, value in said.items():
                setattr(player, name, value)
            player.save()
            opened = open_session(player, device, now)
            transaction.on_commit(lambda: directory.forget(player.pk))
            return opened
    except IntegrityError:  # somebody was faster
        raise Refused("email_taken") from None


def _upgraded(player_id: UUID) -> Player:
    """Of two devices that register the same guest at once, one comes second."""
    player = Player.objects.select_for_update().filter(pk=player_id, is_active=True).first()
    if player is None:
        raise Refused("not_authenticated")
    if player.email is not None:
        raise Refused("not_allowed")
    return player


def sign_in(email: str, password: str, device: str, address: str, now: datetime) -> Opened:
    """One answer, after the same time, whether it is the address or the password that is wrong."""
    email = email_addresses.normal(email)
    device = fit("/device", device, names.flaw_of_device)

    def work() -> Opened:
        player = Player.objects.filter(email=email).first()
        _check(password, player)
        return open_session(_still(player), device, now)

    return lockout.guarded(email, address, now, work)


def _still(checked: Player | None) -> Player:
    """As he is now, and stays until the commit: he may have been deleted while his password was looked at."""
    same = (
        Player.objects.select_for_update(no_key=True).filter(email=checked.email) if checked else Player.objects.none()
    )
    player = same.first()
    if checked is None or player is None or player.password != checked.password:
        raise Refused("invalid_credentials")
    if not player.is_active:
        raise Refused("banned")
    if player.banned_until is not None and is_ahead(player.banned_until):
        raise banned(player.banned_until)
    return player


def _check(password: str, player: Player | None) -> None:
    if not passwords.is_right(password, player.password if player else None):
        raise Refused("invalid_credentials")


def change_password(caller: Identity, old: str, new: str, address: str, asked: Asked, now: datetime) -> Answer:
    """Whoever changes it may have a reason: all other devices are logged out."""
    player = Player.objects.filter(pk=caller.player).first()
    if player is None or player.email is None:
        raise Refused("not_allowed")
    email = player.email

    def change() -> Answer:
        current = Player.objects.select_for_update().get(pk=caller.player)
        _check(old, current)
        passwords.check_strength(new, current, "/new")
        _set_password(current, new)
        sessions.revoke_others(caller.player, caller.session, now)
        return Answer(204)

    return lockout.guarded(email, address, now, lambda: once(asked, now, change))


def _set_password(player: Player, password: str) -> None:
    player.password = passwords.hashed(password)
    player.save(update_fields=["password"])


def ask_for_reset(email: str, language: str) -> None:
    """Whether anybody has this address is not told: not by the answer, nor by the time it takes."""
    player = Player.objects.filter(email=email_addresses.normal(email)).values_list("pk", flat=True).first()
    if not mail.hand_over("reset", player or NOBODY, language):
        raise Refused("unavailable")


def ask_for_confirmation(player: UUID, language: str) -> None:
    if Player.objects.filter(pk=player, email=None).exists():
        raise Refused("not_allowed")
    if not mail.hand_over("confirm", player, language):
        raise Refused("unavailable")


def reset_password(token: str, new: str, now: datetime) -> None:
    """By the mailed link. All devices are logged out, and wrong guesses are forgotten: the owner is back."""

    def reset(player: Player) -> None:
        passwords.check_strength(new, player, "/new")
        _set_password(player, new)
        sessions.revoke_all(player.pk, now)
        lockout.forget(lockout.FAILURES_PER_ACCOUNT, player.email or "")

    _use(token, "reset", reset, now)


def confirm(token: str, now: datetime) -> None:
    """By the mailed link."""

    def mark(player: Player) -> None:
        player.email_confirmed_at = now
        player.save(update_fields=["email_confirmed_at"])

    _use(token, "confirm", mark, now)


def _use(token: str, purpose: Purpose, work: Callable[[Player], None], now: datetime) -> None:
    """Of two who use one link at once, the second finds it used."""
    with transaction.atomic():
        reader = mail.reader(token, purpose, now)
        locked = reader and Player.objects.select_for_update().filter(pk=reader.pk).first()
        if not locked or mail.reader(token, purpose, now) is None:
            raise Refused("link_expired")
        work(locked)
