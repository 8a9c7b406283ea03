"""What a player or a device may be called; knows only text."""

import unicodedata

LONGEST_NAME = 24
LONGEST_DEVICE = 64

# They turn the text around them, in this name or in the page that shows it.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNFIT = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, half a character, ends of lines
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "Zl", "Zp", "Zs"})
BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that are drawn as nothing


def trimmed(text: str) -> str:
    """One way of writing it, without blanks around it.

    >>> trimmed("  Zoe\u0308 ") == "Zoë"
    True
    """
    return unicodedata.normalize("NFC", text).strip()


def flaw_of_name(name: str) -> str | None:
    r"""What a trimmed name should have been.

    >>> flaw_of_name("Ann"), flaw_of_name("👩‍🚀 Жанна")
    (None, None)
    >>> flaw_of_name("\u200b"), flaw_of_name("A\x00")
    ('1 to 24 visible characters', 'text without control characters')
    """
    if len(name) > LONGEST_NAME or not any(map(is_visible, name)):
        return f"1 to {LONGEST_NAME} visible characters"
    return flaw_of_text(name)


def flaw_of_device(device: str) -> str | None:
    """What a trimmed device should have been; it may be empty."""
    return f"0 to {LONGEST_DEVICE} characters" if len(device) > LONGEST_DEVICE else flaw_of_text(device)


def flaw_of_text(text: str) -> str | None:
    is_fit = all(unicodedata.category(sign) not in UNFIT and sign not in TURNING for sign in text)
    return None if is_fit else "text without control characters"


def is_visible(sign: str) -> bool:
    return unicodedata.category(sign) not in UNSEEN and sign not in BLANK_LETTERS
