"""Passwords: which are strong enough, and hashing, of which only a few run at a time. Keeps nothing."""

import os
import threading

from django.contrib.auth import hashers, password_validation
from django.core.exceptions import ValidationError

from players.database.refusal import Refused
from players.models import Player

LONGEST = 1024

# argon2 takes 100 MB and all the processor it gets: as many at once as there are processors, the others wait.
_hashing = threading.BoundedSemaphore(os.cpu_count() or 1)


def check_strength(password: str, player: Player, pointer: str) -> None:
    """Django's validators speak the language that the call has asked for."""
    try:
        password_validation.validate_password(password, player)
    except ValidationError as weak:
        errors = [(pointer, flaw.code, " ".join(flaw.messages).strip()) for flaw in weak.error_list]
        raise Refused("weak_password", errors=errors) from None


def hashed(password: str) -> str:
    with _hashing:
        return hashers.make_password(password)


def is_right(password: str, stored: str | None) -> bool:
    """Takes as long where there is no password to compare with."""
    with _hashing:
        if stored is None or not hashers.is_password_usable(stored):
            hashers.make_password(password)
            return False
        return hashers.check_password(password, stored)


def flaw_of_password(password: str) -> str | None:
    """What may not even be tried; whether it is strong is another matter."""
    return None if 1 <= len(password) <= LONGEST else f"1 to {LONGEST} characters"
