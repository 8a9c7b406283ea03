"""The second factor of staff: codes of an app (TOTP) and recovery codes, stored and limited by django-otp."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.moderation import staff_actions

RECOVERY_CODES = 10
TOTP_DIGITS = 6  # a recovery code is longer
MAX_CODE_LENGTH = 64
ROLES_WITH_FACTOR = ("moderator", "administrator")


def is_required_of(player: Player) -> bool:
    """Superusers, administrators and moderators need one; a viewer may have one."""
    if settings.STAFF_SECOND_FACTOR != "required":
        return False
    return player.is_superuser or player.groups.filter(name__in=ROLES_WITH_FACTOR).exists()


def is_enrolled(player: Player) -> bool:
    return bool(TOTPDevice.objects.filter(user=player, confirmed=True).exists())


def is_missing(player: Any) -> bool:
    """Whether this session, opened by a password, still needs a code or an enrolment before any page."""
    return not player.is_verified() and (is_required_of(player) or is_enrolled(player))


def pending_device(player: Player, device_id: object) -> TOTPDevice:
    """The unconfirmed device of a session.

    Every session gets its own key: a stranger who knows the password could read a shared one before its owner enrols.
    """
    pending = TOTPDevice.objects.filter(user=player, confirmed=False)
    device = pending.filter(pk=device_id).first() if device_id else None
    if device is None:
        pending.delete()
        device = TOTPDevice.objects.create(user=player, name="TOTP", confirmed=False)
    return device


def confirm(device: TOTPDevice, code: str, now: datetime) -> list[str]:
    """Finish an enrolment by a code of the app; replaces earlier devices. Returns the new recovery codes."""
    _check(device, _normalized(code), now)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        TOTPDevice.objects.filter(user=device.user).exclude(pk=device.pk).delete()
        StaticDevice.objects.filter(user=device.user).delete()
        TOTPDevice.objects.filter(pk=device.pk).update(confirmed=True)
        recovery = StaticDevice.objects.create(user=device.user, name="Recovery codes")
        StaticToken.objects.bulk_create([StaticToken(device=recovery, token=code) for code in codes])
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def verify(player: Player, code: str, now: datetime) -> TOTPDevice | StaticDevice:
    """The device whose code it is. Each code is valid once; after wrong codes django-otp delays the next attempt."""
    code = _normalized(code)
    kind = TOTPDevice if len(code) == TOTP_DIGITS else StaticDevice
    device = kind.objects.filter(user=player, confirmed=True).first()
    if device is None:
        raise RequestRefused("invalid_credentials")
    _check(device, code, now)
    return device


def _check(device: TOTPDevice | StaticDevice, code: str, now: datetime) -> None:
    is_allowed, reason = device.verify_is_allowed()
    if not is_allowed:
        raise RequestRefused("too_many_requests", retry_after=(reason["locked_until"] - now).total_seconds())
    if verify_token(device.user, device.persistent_id, code) is None:
        raise RequestRefused("invalid_credentials")


def _normalized(code: str) -> str:
    """
    >>> _normalized(" 123 456 "), _normalized("ABCD-efgh")
    ('123456', 'abcdefgh')
    """
    return "".join(character for character in code[:MAX_CODE_LENGTH] if character.isalnum()).lower()


def reset(player: Player, reason: str, now: datetime) -> None:
    """Remove the second factor, on behalf of an operator: the player enrols again at the next request."""
    with transaction.atomic():
        staff_actions.record(staff_actions.OPERATOR, "reset_factor", "player", player.pk, reason, now)
        erase(player.pk)


def erase(player: UUID) -> None:
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=player).delete()


def export(player: UUID) -> dict[str, Any] | None:
    """When it was set up; the key and the codes are secrets and are left out."""
    device = TOTPDevice.objects.filter(user=player, confirmed=True).first()
    return device and {"since": device.created_at, "last_used_at": device.last_used_at}
