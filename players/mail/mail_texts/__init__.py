"""The texts of mails and of the pages that their links open: one TOML file per language."""

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DEFAULT = "en"


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def texts(language: str) -> dict[str, dict[str, str]]:
    """The texts of the language, of its first part, or English.

    >>> texts("de-at")["reset"]["title"], texts("fr")["reset"]["title"]
    ('Neues Passwort', 'New password')
    """
    known = next((code for code in (language, language.partition("-")[0]) if code in languages()), DEFAULT)
    return tomllib.loads((FOLDER / f"{known}.toml").read_text())
