"""The page's texts: five languages, no hole, no form of the plural missing, and none written into the code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.rules.registry import RULESETS
from games.web.build import FOLDER

LANGUAGES = [code for code, _ in settings.LANGUAGES]
FORMS = {"en": {"one", "other"}, "de": {"one", "other"}} | {
    language: {"one", "few", "many", "other"} for language in ("ru", "uk", "pl")
}
SCRIPTS = sorted((FOLDER / "js").glob("*.js"))
# The same in any language, or in German as in English.
ALIKE = re.compile(
    r"^(ruleset\.|sheet_name\.bonus|level\.bot|colour\.orange|points\.bonus|sheet\.cell|new\.bots|seat\.bot|games\.invited|phrases\.said|account\.(name|email))"
)
# Between tags and out of any code: what stands there by itself would be shown as it is.
PLAIN = r"""[^<>${}`()=;/"'\n]*"""
IN_TAGS = re.compile(rf"[>}}]({PLAIN}[A-Za-zÀ-ž]{{2,}}{PLAIN})(?:<|\$\{{)")
IN_ATTRIBUTES = re.compile(r'(?:aria-label|title|placeholder|alt)="([^"$]*[A-Za-z]{2,}[^"$]*)"')


def catalogue(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "text" / f"{name}.json").read_text())
    return found


def forms(text: Any) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalogue_has_a_hole(language: str) -> None:
    english, said = catalogue("en"), catalogue(language)
    assert set(said) == set(english)
    assert [key for key, text in said.items() if not all(forms(text))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_the_plural_is_there(language: str) -> None:
    english, said = catalogue("en"), catalogue(language)
    counted = {key for key, text in english.items() if isinstance(text, dict)}
    assert {key for key, text in said.items() if isinstance(text, dict)} == counted
    assert [key for key in counted if set(said[key]) != FORMS[language]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_the_same_in_every_language(language: str) -> None:
    english, said = catalogue("en"), catalogue(language)
    wrong = [key for key in english for form in forms(said[key]) if holes(form) != holes(forms(english[key])[0])]
    assert wrong == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_nothing_was_left_in_english(language: str) -> None:
    english, said = catalogue("en"), catalogue(language)
    assert [key for key in english if said[key] == english[key] and not ALIKE.match(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_every_game_are_told_in_every_language(language: str) -> None:
    english, told = catalogue("rules.en"), catalogue(f"rules.{language}")
    assert set(told) == set(RULESETS)
    for key, chapters in told.items():
        assert [chapter["picture"] for chapter in chapters] == [chapter["picture"] for chapter in english[key]]
        assert all(chapter["title"] and all(chapter["text"]) for chapter in chapters)
        assert any(chapter["picture"] for chapter in chapters)


def test_every_text_that_the_code_names_is_there() -> None:
    said = catalogue("en")
    named = {key for path in SCRIPTS for key in re.findall(r'\bt\("([\w.]+)"', path.read_text())}
    assert named
    assert named - set(said) == set()


def test_every_game_has_a_name() -> None:
    assert [key for key in RULESETS if f"ruleset.{key}" not in catalogue("en")] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_game_is_named_in_the_code(path: Path) -> None:
    """A new game is in the registry, and on the page."""
    assert re.findall(rf"\b(?:{'|'.join(RULESETS)})\b(?!-service)", path.read_text()) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_is_written_into_the_code(path: Path) -> None:
    source = path.read_text()
    written = IN_TAGS.findall(source) + IN_ATTRIBUTES.findall(source)
    assert [text.strip() for text in written if text.strip() not in ("Qwixx", "Service", "K7QXM2")] == []


def test_a_text_in_the_code_would_be_found() -> None:
    assert IN_TAGS.findall("html`<p>${t('a')} Hello there</p>`") == [" Hello there"]
    assert IN_TAGS.findall("html`<p>Hello there</p><b>${x}</b>`") == ["Hello there"]
    assert IN_ATTRIBUTES.findall('<img alt="A die">') == ["A die"]
