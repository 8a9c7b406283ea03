"""Texts for players besides errors: phrases and the state of a matchmaking ticket, one TOML file per language."""

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation.trans_real import parse_accept_lang_header

from players.accounts.plurals import plural

FOLDER = Path(__file__).resolve().parent
DEFAULT = "en"


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def _file(language: str) -> dict[str, Any]:
    known = language if language in languages() else DEFAULT
    return tomllib.loads((FOLDER / f"{known}.toml").read_text())


@lru_cache(maxsize=1024)
def preferred(accept_language: str) -> str:
    """The first supported language that the client accepts.

    >>> preferred("fr, de-CH;q=0.8, en;q=0.7"), preferred("")
    ('de', 'en')
    """
    wanted = (name.partition("-")[0] for name, _ in parse_accept_lang_header(accept_language))
    return next((name for name in wanted if name in languages()), DEFAULT)


def phrases(language: str) -> dict[str, str]:
    """Every phrase by its key."""
    return dict(_file(language)["phrases"])


def every_wait(language: str) -> dict[str, Any]:
    return dict(_file(language)["waiting"])


def waiting(language: str, key: str, number: int | None = None) -> str:
    """One sentence about a ticket, in the plural form of its number.

    >>> waiting("en", "others", 1)
    '1 other player waits for such a game.'
    >>> waiting("pl", "others", 22)
    '22 inni gracze czekają na taką grę.'
    """
    words = every_wait(language)[key]
    return str(words) if number is None else str(words[plural(language, number)].format(number))
