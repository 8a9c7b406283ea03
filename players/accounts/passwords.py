"""Password strength and password hashing; the number of hashes that a process computes at once is bounded."""

import os
import threading

from django.contrib.auth import hashers, password_validation
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError

from players.accounts.models import Player
from players.database.refusal import RequestRefused, Wrong, length_error

MAX_PASSWORD_LENGTH = 1024

# One argon2 hash takes 100 MB and a whole processor: at most one per processor at a time, the other threads wait.
_hashing = threading.BoundedSemaphore(os.cpu_count() or 1)


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Named in PASSWORD_HASHERS, so that the bound holds wherever Django hashes: API, admin and commands."""

    def encode(self, password: str, salt: str) -> str:
        with _hashing:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _hashing:
            return super().verify(password, encoded)


def check_strength(password: str, player: Player, pointer: str) -> None:
    """Refuse a weak password; Django's validators write their messages in the language of the request."""
    try:
        password_validation.validate_password(password, player)
    except ValidationError as weak:
        errors = [(pointer, code_of(error), " ".join(error.messages).strip()) for error in weak.error_list]
        raise RequestRefused("weak_password", errors=errors) from None


def hash_password(password: str) -> str:
    return hashers.make_password(password)


def is_correct(password: str, stored: str | None) -> bool:
    """Compare with a stored hash. It takes as long without one, so that the time does not reveal accounts."""
    if stored is None or not hashers.is_password_usable(stored):
        hashers.make_password(password)
        return False
    return hashers.check_password(password, stored)


def code_of(error: ValidationError) -> str:
    """Django's validators have codes of their own."""
    return "too_short" if error.code == "password_too_short" else "wrong_format"


def password_error(password: str) -> Wrong | None:
    return length_error(password, 1, MAX_PASSWORD_LENGTH)
