"""Texts of the admin pages in the language of the current request, from the folder `admin/texts` of every app."""

from functools import cache
from pathlib import Path

from django.apps import apps
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import get_language

from players.languages.accept_language import DEFAULT, LANGUAGES
from players.languages.catalogues import Entry, catalogue, flatten, plural_form

EMPTY = "\N{EN DASH}"  # shown in place of an absent value


@cache
def entries(language: str) -> dict[str, Entry]:
    """Every text by its full name, such as `player.name`."""
    found: dict[str, Entry] = {}
    for folder in (Path(app.path) / "admin" / "texts" for app in apps.get_app_configs()):
        for name, entry in flatten(catalogue(folder, language)) if folder.is_dir() else ():
            if name in found:
                raise LookupError(f"{name} has two texts in {language}")
            found[name] = entry
    return found


def current_language() -> str:
    """The language of the current request; English outside of requests, as when permissions are created."""
    language = (get_language() or DEFAULT).partition("-")[0]
    return language if language in LANGUAGES else DEFAULT


def text(name: str, n: int | None = None, **values: object) -> str:
    """One text with its values filled in, in the plural form that `n` needs; raises KeyError for an unknown name."""
    language = current_language()
    template = plural_form(entries(language)[name], language, n)
    return template.format(n="" if n is None else number_format(n, force_grouping=True), **values)


def label(value: object, table: str) -> str:
    """The text for a value of a closed set, such as a status; a value without a text is returned as it is."""
    name = f"{table}.{value}"
    return text(name) if name in entries(current_language()) else str(value)


lazy_text = lazy(text, str)  # for names of columns, filters and models, which outlive a request
