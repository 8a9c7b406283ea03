"""Normalization and validation of e-mail addresses."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from players.accounts import names
from players.database.refusal import Wrong

MAX_LENGTH = 254


def normalize(email: str) -> str:
    """The form in which addresses are stored and looked up.

    >>> normalize(" Ann@Example.ORG ")
    'ann@example.org'
    """
    return names.normalize(email, MAX_LENGTH).lower()


def address_error(email: str) -> Wrong | None:
    """What a normalized address should have been, or None if it is valid.

    >>> address_error("ann@example.org"), address_error("ann@")
    (None, ('wrong_format', 'an e-mail address'))
    >>> address_error("a@b.de\\r\\nBcc: x@y.de")
    ('wrong_format', 'an e-mail address')
    """
    if len(email) > MAX_LENGTH:
        return "too_long", f"1 to {MAX_LENGTH} characters"
    try:
        validate_email(email)
    except ValidationError:
        return "wrong_format", "an e-mail address"
    return None
