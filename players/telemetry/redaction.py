"""Hides what no log may hold: tokens, secrets, seeds, e-mail addresses and the addresses of clients.

Lines are written with named fields that hold none of these. This is for what others put into a message or an
exception: the text of an error of the database, for example, may quote an address.
"""

import re
from collections.abc import Callable
from ipaddress import ip_address

HIDDEN = "[hidden]"


def _if_public(found: re.Match[str]) -> str:
    """Addresses of players are public ones; those of servers inside a network tell an operator which one failed."""
    try:
        return HIDDEN if ip_address(found[0]).is_global else found[0]
    except ValueError:  # a time or a version
        return found[0]


RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\b(?:qx|whsec)_[A-Za-z0-9_+/=-]{8,}"), HIDDEN),
    (re.compile(r"(?<=://)[^\s/@]*@"), f"{HIDDEN}@"),
    (re.compile(r"(?i)\b(ticket|token|password|secret|seed|code|share|signature)=[^\s&\"']+"), rf"\1={HIDDEN}"),
    # It begins where a word begins, so that a long word is read once.
    (
        re.compile(
            r"(?<![^\s\"'<>()\[\]=,;:@/\\])[^\s\"'<>()\[\]=,;:@/\\]+@[^\s\"'<>()\[\]=,;:@/\\]+\.[^\s\"'<>()\[\]=,;:@/\\.]{2,}"
        ),
        HIDDEN,
    ),
    (re.compile(r"\b[0-9a-fA-F]{64}\b"), HIDDEN),  # 32 bytes: a seed
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), _if_public),
    (re.compile(r"(?<![\w:])[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){2,7}(?![\w:])"), _if_public),
)


def redacted(text: str) -> str:
    """
    >>> redacted("Key (email)=(ann@example.org) already exists; ?share=x1 from 2001:db8::1 or 8.8.8.8, by 10.0.0.5")
    'Key (email)=([hidden]) already exists; ?share=[hidden] from 2001:db8::1 or [hidden], by 10.0.0.5'
    >>> redacted("redis://:geheim@cache:6379/0 qx_AbCdEfGh12345 2026-01-01T10:11:12Z")
    'redis://[hidden]@cache:6379/0 [hidden] 2026-01-01T10:11:12Z'
    """
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text
