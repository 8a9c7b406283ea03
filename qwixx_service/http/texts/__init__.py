"""The texts of error codes: one TOML file per language, read once."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
VARIABLE = re.compile(r"\d+|`[^`]*`|'[^']*'")  # what a template has `{}` for
CHOICE = re.compile(r"((?:each )?one of) (.+)")
EXPECTED = "expected"  # the one table that is not a code: phrases for what a member of a body should have been


class Text(NamedTuple):
    title: str
    detail: str
    until: str = ""  # the detail of a condition with an end

    def told(self, until: object) -> str:
        """The detail, with the end of the condition if there is one."""
        return self.until.format(f"{until:%Y-%m-%d %H:%M} UTC") if self.until and until else self.detail


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def _file(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text())


@cache
def texts(language: str) -> dict[str, Text]:
    """Title and detail of every code."""
    return {code: Text(**words) for code, words in _file(language).items() if code != EXPECTED}


@cache
def phrases(language: str) -> dict[str, str]:
    """The English phrases of the pure packages, with `{}` for what varies, and their translations."""
    return _file(language)[EXPECTED]


def expected(phrase: str, language: str) -> str:
    """One sentence about one member of a body; a phrase without a translation stays as it is.

    >>> expected("a whole number from 1 to 100", "en")
    'Expected: a whole number from 1 to 100.'
    >>> expected("one of easy, hard", "de")
    'Erwartet: eines von easy, hard.'
    >>> expected("Expected `int`, got `str`", "de")
    'Erwartet wurde `int`, gesendet `str`.'
    """
    known = phrases(language)
    choice = CHOICE.fullmatch(phrase)
    template = known.get(choice[1] if choice else VARIABLE.sub("{}", phrase))
    values = choice.groups()[1:] if choice else VARIABLE.findall(phrase)
    words = template.format(*values) if template else phrase
    return words if phrase[:1].isupper() else known["sentence"].format(words)
