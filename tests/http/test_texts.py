"""Texts of error codes in every language, and the choice of the language."""

import re
import tracemalloc
from typing import Any

import pytest

from games.api import request_bodies
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.refused import Refused
from players.languages.accept_language import LANGUAGES, preferred
from qwixx_service.http import errors, texts


def test_every_error_code_has_a_text_and_no_other_exists() -> None:
    assert set(texts.texts("en")) == set(errors.STATUS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_detail_is_a_sentence(language: str) -> None:
    assert all(text.detail.endswith((".", "…")) for text in texts.texts(language).values())


def test_the_refusal_of_a_rule_has_the_text_of_the_rule() -> None:
    detail = texts.texts("en")["left_to_right"].detail
    assert detail == "Numbers in a row are marked from left to right. A skipped number cannot be marked later."
    assert "von links nach rechts" in texts.texts("de")["left_to_right"].detail


@pytest.mark.parametrize(
    ("language", "more"), [("en", "more"), ("de", "mehr"), ("ru", "больше"), ("uk", "більше"), ("pl", "więcej")]
)
def test_the_text_about_the_last_number_says_that_some_sheets_need_more_marks(language: str, more: str) -> None:
    assert max(sheet.marks_before_last for sheet in SHEETS.values()) > SHEETS["classic"].marks_before_last
    assert more in texts.texts(language)["lock_needs_marks"].detail


@pytest.mark.parametrize(
    ("language", "cell"), [("en", "cell"), ("de", "Feldes"), ("ru", "клетки"), ("uk", "клітинки"), ("pl", "pola")]
)
def test_the_text_about_dice_names_the_colour_of_the_cell_and_not_of_the_row(language: str, cell: str) -> None:
    assert cell in texts.texts(language)["number_not_rolled"].detail


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr, ja;q=0.5", "en"),
        ("uk", "uk"),
        ("PL-pl", "pl"),
        ("de;q=0.3, ru;q=0.7", "ru"),
        ("de, ru", "de"),
        ("ru;q=0, *;q=0.5", "en"),
        ("*", "en"),
        ("de;q=abc, pl;q=0.1", "pl"),
        ("de;q=2", "en"),
        ("en;q=0", "en"),
        ("uk" + ",x" * 10_000, "uk"),
    ],
)
def test_the_language_is_the_one_with_the_greatest_weight(header: str, language: str) -> None:
    assert preferred(header) == language


def test_long_headers_do_not_fill_the_memory() -> None:
    tracemalloc.start()
    try:
        for number in range(2000):
            assert preferred(f"de;q=0.9, x-{number}" + ",y" * 10_000) == "de"
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2_000_000


def test_what_was_expected_of_a_member_is_translated() -> None:
    assert texts.expected("a whole number from 1 to 30", "ru") == "Ожидается: целое число от 1 до 30."
    assert texts.expected("each one of easy, hard", "pl") == "Oczekiwano: lista wartości z easy, hard."
    assert texts.wrong_member("missing", "a text", "uk") == "Значення відсутнє. Очікується: рядок."
    assert texts.expected("something {new}", "en") == "Expected: something {new}."


BAD_BODIES: list[tuple[type[Any], Any]] = [
    (request_bodies.EnterQueue, {"ruleset": "qwixx", "sheet": "classic", "seats": 2, "bots_after_s": -1}),
    (request_bodies.EnterQueue, {"ruleset": "qwixx", "sheet": "classic", "seats": 2, "bots_after_s": 3601}),
    (request_bodies.EnterQueue, {"ruleset": "qwixx", "sheet": "classic", "seats": True}),
    (request_bodies.EnterQueue, {"ruleset": "qwixx"}),
    (request_bodies.Invite, {"player": "nobody"}),
    (request_bodies.Say, {"key": "anything at all"}),
    (request_bodies.Say, []),
    (request_bodies.CreateGame, {"ruleset": "qwixx", "bots": [5]}),
    (request_bodies.CreateGame, {"ruleset": "qwixx", "clock": {"roll_s": 5}}),
]


@pytest.mark.parametrize(("kind", "body"), BAD_BODIES)
def test_errors_of_a_body_are_translated_into_every_language(kind: type[Any], body: Any) -> None:
    with pytest.raises(Refused) as refused:
        request_bodies.read(body, kind)
    errors_found: Any = refused.value.data["errors"]
    for _, code, hint in errors_found:
        said = {language: texts.wrong_member(code, hint, language) for language in LANGUAGES}
        assert len(set(said.values())) >= len(LANGUAGES) - 1, said  # in ru and uk some things are the same
        assert all(sentence.endswith(".") for sentence in said.values())
        assert code in errors.MEMBER_CODES


def test_a_code_is_written_in_lower_case_letters_and_underscores() -> None:
    assert all(re.fullmatch(r"[a-z_]+", code) for code in errors.STATUS)
