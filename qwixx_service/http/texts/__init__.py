"""Title and detail of every error code, per language."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from players.languages.catalogues import catalogue

FOLDER = Path(__file__).resolve().parent
VARIABLE = re.compile(r"\d+|`[^`]*`|'[^']*'")  # a template has `{}` in its place
CHOICE = re.compile(r"((?:each )?one of) (.+)")
EXPECTED = "expected"  # the one table of a file that is not an error code: what a field must be


class ErrorText(NamedTuple):
    title: str
    detail: str
    until: str = ""  # the detail of an error with a known end

    def detail_until(self, end: object) -> str:
        """The detail, with the end of what it describes if that is known."""
        return self.until.format(f"{end:%Y-%m-%d %H:%M} UTC") if self.until and end else self.detail


@cache
def texts(language: str) -> dict[str, ErrorText]:
    """The texts of every error code."""
    return {code: ErrorText(**entry) for code, entry in catalogue(FOLDER, language).items() if code != EXPECTED}


def expected(hint: str, language: str) -> str:
    """One sentence about one field of a body; a hint without a translation is kept in English.

    The pure packages give hints in English; the catalogues have `{}` for the parts that vary.

    >>> expected("a whole number from 1 to 100", "en")
    'Expected: an integer from 1 to 100.'
    >>> expected("one of easy, hard", "de")
    'Erwartet: eines von easy, hard.'
    >>> expected("Expected `int`, got `str`", "de")
    'Erwartet wurde `int`, gesendet `str`.'
    """
    hints: dict[str, str] = catalogue(FOLDER, language)[EXPECTED]
    choice = CHOICE.fullmatch(hint)
    template = hints.get(choice[1] if choice else VARIABLE.sub("{}", hint))
    values = choice.groups()[1:] if choice else VARIABLE.findall(hint)
    translated = template.format(*values) if template else hint
    return translated if hint[:1].isupper() else hints["sentence"].format(translated)
