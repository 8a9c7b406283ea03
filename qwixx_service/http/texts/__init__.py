"""Title and detail of every error code, per language."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from players.languages.catalogues import catalogue

FOLDER = Path(__file__).resolve().parent
VARIABLE = re.compile(r"\d+|`[^`]*`|'[^']*'")  # a template has `{}` in its place
CHOICE = re.compile(r"((?:each )?one of) (.+)")
EXPECTED, WRONG = "expected", "wrong"  # the tables of a file that are not error codes: what a field must be, what it is


class ErrorText(NamedTuple):
    title: str
    detail: str
    until: str = ""  # the detail of an error with a known end
    scope: str = ""  # the detail for a token without a scope
    session: str = ""  # the detail for a token where a device that is signed in is needed

    def detail_of(self, data: Mapping[str, Any]) -> str:
        """The detail, with the end of what it describes or with the scope that is missing, if that is known."""
        end, scope = data.get("until"), data.get("scope")
        if self.until and end:
            return self.until.format(f"{end:%Y-%m-%d %H:%M} UTC")
        if self.scope and scope:
            return self.session if scope == "session" else self.scope.format(scope)
        return self.detail


@cache
def texts(language: str) -> dict[str, ErrorText]:
    """The texts of every error code."""
    return {
        code: ErrorText(**entry) for code, entry in catalogue(FOLDER, language).items() if code not in (EXPECTED, WRONG)
    }


def wrong_member(code: str, hint: str, language: str) -> str:
    """Sentences about one member of a body: what is wrong, or what was expected.

    >>> wrong_member("missing", "a text", "en"), wrong_member("unknown", "", "de")
    ('A value is missing. Expected: a string.', 'Dieser Name ist unbekannt.')
    """
    wrong = catalogue(FOLDER, language)[WRONG].get(code, "")
    return " ".join(filter(None, (wrong, hint and expected(hint, language))))


def expected(hint: str, language: str) -> str:
    """One sentence about what was expected; a hint without a translation is kept in English, a sentence as it is.

    The pure packages give hints in English; the catalogues have `{}` for the parts that vary.

    >>> expected("a whole number from 1 to 100", "en")
    'Expected: an integer from 1 to 100.'
    >>> expected("one of easy, hard", "de")
    'Erwartet: eines von easy, hard.'
    """
    if hint[:1].isupper():
        return hint
    hints: dict[str, str] = catalogue(FOLDER, language)[EXPECTED]
    choice = CHOICE.fullmatch(hint)
    template = hints.get(choice[1] if choice else VARIABLE.sub("{}", hint))
    values = choice.groups()[1:] if choice else VARIABLE.findall(hint)
    return hints["sentence"].format(template.format(*values) if template else hint)
