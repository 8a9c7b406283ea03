"""Reads text catalogues: a folder per subject with one TOML file per language."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from players.languages.accept_language import DEFAULT, LANGUAGES
from players.languages.plurals import CATEGORIES, plural_category

Entry = str | dict[str, str]  # a text, or its plural forms


@cache
def catalogue(folder: Path, language: str) -> dict[str, Any]:
    """The tables of the language, else of its primary subtag, else of English.

    Callers share the result and must not change it.
    """
    known = next((code for code in (language, language.partition("-")[0]) if code in LANGUAGES), DEFAULT)
    return tomllib.loads((folder / f"{known}.toml").read_text())


def flatten(tables: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Entry]]:
    """Every text with its full name.

    >>> dict(flatten({"game": {"seat": "seat", "counted": {"one": "{n} game", "other": "{n} games"}}}))
    {'game.seat': 'seat', 'game.counted': {'one': '{n} game', 'other': '{n} games'}}
    """
    for key, entry in tables.items():
        if isinstance(entry, dict) and not entry.keys() <= {*CATEGORIES}:
            yield from flatten(entry, f"{prefix}{key}.")
        else:
            yield prefix + key, entry


def plural_form(entry: Entry, language: str, number: int | None) -> str:
    """The text itself, or the form of it that the number needs."""
    return entry if isinstance(entry, str) else entry[plural_category(language, number or 0)]
