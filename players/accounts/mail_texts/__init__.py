"""What is said to people by mail and on the pages that mails lead to: one TOML file per language, read once."""

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DEFAULT = "en"


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def words(language: str) -> dict[str, dict[str, str]]:
    """Those of the language, or of its first part, or English.

    >>> words("de-at")["reset"]["title"], words("fr")["reset"]["title"]
    ('Neues Passwort', 'New password')
    """
    known = next((code for code in (language, language.partition("-")[0]) if code in languages()), DEFAULT)
    return tomllib.loads((FOLDER / f"{known}.toml").read_text())
