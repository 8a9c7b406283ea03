"""What an e-mail address is, and which of two are the same; knows only text."""

import unicodedata

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

LONGEST = 254


def normal(email: str) -> str:
    """The one way in which an address is stored and looked for.

    >>> normal(" Ann@Example.ORG ")
    'ann@example.org'
    """
    return unicodedata.normalize("NFC", email).strip().lower()


def flaw_of_address(email: str) -> str | None:
    """What a normal address should have been.

    >>> flaw_of_address("ann@example.org"), flaw_of_address("ann@"), flaw_of_address("a@b.de\\r\\nBcc: x@y.de")
    (None, 'an e-mail address', 'an e-mail address')
    """
    try:
        validate_email(email)
    except ValidationError:
        return "an e-mail address"
    return None if len(email) <= LONGEST else "an e-mail address"
