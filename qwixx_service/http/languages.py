"""The language of a response, chosen by `Accept-Language` among those that there are texts in."""

from collections.abc import Iterator
from functools import lru_cache

LANGUAGES = ("en", "de", "ru", "uk", "pl")
DEFAULT = "en"
LONGEST = 256  # a browser sends some fifty characters; the rest of a longer header is ignored


@lru_cache(maxsize=1024)
def preferred(header: str) -> str:
    """The language with the greatest weight; among equals the one named first; English if none fits.

    >>> preferred("fr, de-CH;q=0.8, en;q=0.7")
    'de'
    >>> preferred("en;q=0.2, pl;q=0.2, *;q=0.1")
    'en'
    >>> preferred("en;q=0, *")
    'de'
    """
    weights: dict[str, float] = {}
    for name, weight in _ranges(header[:LONGEST]):
        weights.setdefault(name, weight)
    anything = weights.get("*", 0.0)
    offers = {name: weight for name, weight in weights.items() if name in LANGUAGES}
    offers |= {name: anything for name in LANGUAGES if name not in offers}
    best = max(offers, key=offers.__getitem__)
    return best if offers[best] > 0 else DEFAULT


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    """Each range by its primary tag; one with an unreadable weight is ignored."""
    for part in header.split(","):
        name, _, parameter = part.partition(";")
        key, _, value = parameter.partition("=")
        try:
            weight = float(value) if key.strip().lower() == "q" else 1.0
        except ValueError:
            continue
        if 0 <= weight <= 1:
            yield name.strip().lower().partition("-")[0], weight
