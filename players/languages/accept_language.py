"""Chooses the language of a response by the Accept-Language header of its request."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)
DEFAULT = settings.LANGUAGE_CODE
MAX_LENGTH = 256  # browsers send about fifty characters; the rest of a longer header is ignored


LOCALE = "player.locale"  # the key of the ASGI scope under which authentication leaves the player's own language


def language_for(scope: Mapping[str, Any], header: str) -> str:
    """The language of a response: the player's own if it is set, else that of the request."""
    return scope.get(LOCALE) or preferred(header)


def preferred(header: str) -> str:
    """The language with the greatest weight, the first one named among equals, English if none matches.

    >>> preferred("fr, de-CH;q=0.8, en;q=0.7")
    'de'
    >>> preferred("en;q=0.2, pl;q=0.2, *;q=0.1")
    'en'
    >>> preferred("en;q=0, *")
    'de'
    """
    return _preferred(header[:MAX_LENGTH])


@lru_cache(maxsize=1024)
def _preferred(header: str) -> str:
    """Its keys are short: a client cannot fill the memory with long headers."""
    weights: dict[str, float] = {}
    for name, weight in _ranges(header):
        weights.setdefault(name, weight)
    wildcard = weights.get("*", 0.0)
    candidates = {name: weight for name, weight in weights.items() if name in LANGUAGES}
    candidates |= {name: wildcard for name in LANGUAGES if name not in candidates}
    best = max(candidates, key=candidates.__getitem__)
    return best if candidates[best] > 0 else DEFAULT


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    """Each language range by its primary subtag, with its weight; ranges with an invalid weight are left out."""
    for part in header.split(","):
        name, _, parameter = part.partition(";")
        key, _, value = parameter.partition("=")
        try:
            weight = float(value) if key.strip().lower() == "q" else 1.0
        except ValueError:
            continue
        if 0 <= weight <= 1:
            yield name.strip().lower().partition("-")[0], weight
