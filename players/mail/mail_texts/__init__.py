"""Texts of mails and of the pages that mailed links open, per language."""

from pathlib import Path

from players.languages.catalogues import catalogue

FOLDER = Path(__file__).resolve().parent


def texts(language: str) -> dict[str, dict[str, str]]:
    """The texts in the language, or in English.

    >>> texts("de-at")["reset"]["title"], texts("fr")["reset"]["title"]
    ('Neues Passwort', 'New password')
    """
    return catalogue(FOLDER, language)
