"""What is said beside errors can be said in every language, in every form that its numbers need."""

from typing import get_args

import pytest

from games.api.request_bodies import Say
from games.live import phrases
from qwixx_service.http.languages import LANGUAGES

FORMS = {"en": {"one", "other"}, "de": {"one", "other"}} | {key: {"one", "few", "many"} for key in ("ru", "uk", "pl")}


def test_there_is_one_file_per_language() -> None:
    assert set(phrases.languages()) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_lacks_a_phrase_and_none_has_one_that_cannot_be_said(language: str) -> None:
    assert tuple(phrases.phrases(language)) == get_args(Say.__annotations__["key"])
    assert all(phrases.phrases(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_hole_in_what_it_says_of_a_wait(language: str) -> None:
    english, said = phrases.every_wait("en"), phrases.every_wait(language)
    assert set(said) == set(english)
    for key, words in said.items():
        assert isinstance(words, dict) == isinstance(english[key], dict)
        if isinstance(words, dict):
            assert set(words) == FORMS[language]
            assert all(form.count("{}") == 1 for form in words.values())


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_nothing_was_left_in_english(language: str) -> None:
    for said, english in (
        (phrases.phrases(language), phrases.phrases("en")),
        (phrases.every_wait(language), phrases.every_wait("en")),
    ):
        assert [key for key, words in said.items() if words == english[key]] == []


def test_an_unknown_language_is_english() -> None:
    assert phrases.phrases("fr") == phrases.phrases("en")
