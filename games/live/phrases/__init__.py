"""Texts for players beside errors, per language: quick phrases, the state of a ticket, what a proof shows."""

from collections.abc import Sequence
from pathlib import Path

from players.languages.accept_language import DEFAULT, preferred
from players.languages.catalogues import catalogue, plural_form

__all__ = ["DEFAULT", "fairness", "phrases", "preferred", "waiting"]

FOLDER = Path(__file__).resolve().parent


def phrases(language: str) -> dict[str, str]:
    """Every quick phrase by its key."""
    return dict(catalogue(FOLDER, language)["phrases"])


def waiting(language: str, key: str, number: int | None = None) -> str:
    """One sentence about a ticket, in the plural form that its number needs.

    >>> waiting("en", "others", 1)
    '1 other player waits for such a game.'
    >>> waiting("pl", "others", 22)
    '22 inni gracze czekają na taką grę.'
    """
    return plural_form(catalogue(FOLDER, language)["waiting"][key], language, number).format(number)


def fairness(language: str, late_seeds: Sequence[bool]) -> str:
    """What follows from the client seeds that came after the commitment.

    >>> fairness("en", [True, False, True])[:10]
    'Seats 0, 2'
    """
    late = [str(seat) for seat, is_late in enumerate(late_seeds) if is_late]
    sentences = catalogue(FOLDER, language)["fairness"]
    return plural_form(sentences["late"], language, len(late)).format(", ".join(late)) if late else sentences["none"]
