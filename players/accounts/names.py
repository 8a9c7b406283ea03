"""Validation of the names that players give themselves and their devices."""

import unicodedata
from collections.abc import Callable

from players.database.refusal import RequestRefused, Wrong, length_error

MAX_NAME_LENGTH = 24
MAX_DEVICE_LENGTH = 64
MAX_TEXT_LENGTH = 500  # of any text that a player writes
MAX_COMPOSED = 4  # characters that normalization makes one, at most

# These change the direction of the text around them, also in the page that shows the name.
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})  # controls, surrogates, line and paragraph separators
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "Zl", "Zp", "Zs"})
INVISIBLE_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that are drawn as blanks


def normalize(text: str, max_length: int = MAX_TEXT_LENGTH) -> str:
    """The stored form: composed characters, without blanks around the text.

    Normalization takes quadratic time on combining marks. A text whose stored form would be longer than `max_length` in
    any case is returned as it is; it is still too long.

    >>> normalize("  Zoe\u0308 ") == "Zoë"
    True
    >>> normalize("e\u0308" * 3000) == "e\u0308" * 3000
    True
    """
    text = text.strip()
    return text if len(text) > MAX_COMPOSED * max_length else unicodedata.normalize("NFC", text).strip()


def validated(pointer: str, text: str, error_of: Callable[[str], Wrong | None]) -> str:
    """The normalized text; a text with an error is refused with a pointer to it."""
    text = normalize(text)
    if error := error_of(text):
        raise RequestRefused("malformed", errors=[(pointer, *error)])
    return text


def name_error(name: str) -> Wrong | None:
    r"""What a normalized name should have been, or None if it is valid.

    >>> name_error("Ann"), name_error("👩‍🚀 Жанна")
    (None, None)
    >>> name_error("\u200b"), name_error("A\x00")
    (('too_short', '1 to 24 visible characters'), ('wrong_format', 'text without control characters'))
    """
    expected = f"1 to {MAX_NAME_LENGTH} visible characters"
    if wrong := length_error(name, 1, MAX_NAME_LENGTH, expected):
        return wrong
    return text_error(name) if any(map(is_visible, name)) else ("too_short", expected)


def device_error(device: str) -> Wrong | None:
    """What a normalized device name should have been, or None if it is valid; it may be empty."""
    return length_error(device, 0, MAX_DEVICE_LENGTH) or text_error(device)


def token_name_error(name: str) -> Wrong | None:
    """The same for the name of a personal access token, which may not be empty."""
    return length_error(name, 1, MAX_DEVICE_LENGTH) or text_error(name)


def text_error(text: str) -> Wrong | None:
    is_valid = all(
        unicodedata.category(character) not in FORBIDDEN_CATEGORIES and character not in BIDI_CONTROLS
        for character in text
    )
    return None if is_valid else ("wrong_format", "text without control characters")


def is_visible(character: str) -> bool:
    return unicodedata.category(character) not in INVISIBLE_CATEGORIES and character not in INVISIBLE_LETTERS
