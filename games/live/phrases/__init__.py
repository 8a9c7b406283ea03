"""Texts for players beside errors, per language: quick phrases and the state of a matchmaking ticket."""

from pathlib import Path

from players.languages.accept_language import DEFAULT, preferred
from players.languages.catalogues import catalogue, plural_form

__all__ = ["DEFAULT", "phrases", "preferred", "waiting"]

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
