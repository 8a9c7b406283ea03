"""Texts of the page: its code names only texts that exist and contains none itself; every game has its rules."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.rules.registry import RULESETS
from games.web.build import FOLDER

LANGUAGES = [code for code, _ in settings.LANGUAGES]
SCRIPTS = sorted((FOLDER / "js").glob("*.js"))
# Text between tags, outside of expressions: the browser would show it as it is.
PLAIN = r"""[^<>${}`()=;/"'\n]*"""
IN_TAGS = re.compile(rf"[>}}]({PLAIN}[A-Za-zÀ-ž]{{2,}}{PLAIN})(?:<|\$\{{)")
IN_ATTRIBUTES = re.compile(r'(?:aria-label|title|placeholder|alt)="([^"$]*[A-Za-z]{2,}[^"$]*)"')


def catalogue(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "text" / f"{name}.json").read_text())
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_of_every_game_exist_in_every_language(language: str) -> None:
    english, translated = catalogue("rules.en"), catalogue(f"rules.{language}")
    assert set(translated) == set(RULESETS)
    for key, chapters in translated.items():
        assert [chapter["picture"] for chapter in chapters] == [chapter["picture"] for chapter in english[key]]
        assert all(chapter["title"] and all(chapter["text"]) for chapter in chapters)
        assert any(chapter["picture"] for chapter in chapters)


def test_every_text_that_the_code_names_exists() -> None:
    named = {key for path in SCRIPTS for key in re.findall(r'\bt\("([\w.]+)"', path.read_text())}
    assert named
    assert named - set(catalogue("en")) == set()


def test_every_game_has_a_name() -> None:
    assert [key for key in RULESETS if f"ruleset.{key}" not in catalogue("en")] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_code_names_no_game(path: Path) -> None:
    """The page shows a new game of the registry without a change of its code."""
    assert re.findall(rf"\b(?:{'|'.join(RULESETS)})\b(?!-service)", path.read_text()) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_code_contains_no_text(path: Path) -> None:
    source = path.read_text()
    written = IN_TAGS.findall(source) + IN_ATTRIBUTES.findall(source)
    assert [text.strip() for text in written if text.strip() not in ("Qwixx", "Service", "K7QXM2")] == []


def test_text_in_the_code_would_be_found() -> None:
    assert IN_TAGS.findall("html`<p>${t('a')} Hello there</p>`") == [" Hello there"]
    assert IN_TAGS.findall("html`<p>Hello there</p><b>${x}</b>`") == ["Hello there"]
    assert IN_ATTRIBUTES.findall('<img alt="A die">') == ["A die"]
