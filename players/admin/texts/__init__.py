"""What the admin says, in the language of whoever looks: TOML files per language, read once; knows no page.

An app that adds pages adds its folder. A text is named by its table and its key; one with a number has plural forms.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import get_language

from players.accounts.plurals import FORMS, plural

Words = str | dict[str, str]

FOLDERS = [Path(__file__).resolve().parent]
DEFAULT = "en"
NOTHING = "\N{EN DASH}"  # where there is nothing to say


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDERS[0].glob("*.toml")))


@cache
def catalogue(language: str) -> dict[str, Words]:
    """Every text by its full name, such as `player.name`."""
    found: dict[str, Words] = {}
    for folder in FOLDERS:
        for name, words in _flat(tomllib.loads((folder / f"{language}.toml").read_text())):
            if name in found:
                raise LookupError(f"{name} is said twice in {language}")
            found[name] = words
    return found


def _flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Words]]:
    for key, words in table.items():
        if isinstance(words, dict) and not words.keys() <= {*FORMS}:
            yield from _flat(words, f"{prefix}{key}.")
        else:
            yield prefix + key, words


def language() -> str:
    """That of the page being made; of none, as when permissions are named, English."""
    spoken = (get_language() or DEFAULT).partition("-")[0]
    return spoken if spoken in languages() else DEFAULT


def said(name: str, n: int | None = None, **values: object) -> str:
    """One text, with its number in the form that it needs. There is no text of another name."""
    spoken = language()
    words = catalogue(spoken)[name]
    if isinstance(words, dict):
        words = words[plural(spoken, n or 0)]
    return words.format(n="" if n is None else number_format(n, force_grouping=True), **values)


def worded(value: object, table: str) -> str:
    """A value of a closed set, such as a status, in words; one that nobody has words for stays as it is."""
    name = f"{table}.{value}"
    return said(name) if name in catalogue(language()) else str(value)


later = lazy(said, str)  # for what is named once and shown to many: columns, filters, models
