"""The strict JSON reader: what it refuses, with a pointer where there is one, whatever the depth."""

import json
from typing import Any

import pytest

from games.game.json import strict_json
from games.rules.refused import Refused


def refusal(text: str) -> tuple[str, str]:
    """The pointer and the expectation of the one error of a refused text."""
    with pytest.raises(Refused) as refused:
        strict_json.object_in(text)
    assert refused.value.code == "malformed"
    errors: Any = refused.value.data["errors"]
    (error,) = errors
    assert error[1] in ("wrong_format", "wrong_type", "out_of_range", "not_unique")
    return error[0], error[2]


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def test_an_object_may_be_nested_16_levels_deep_and_no_deeper() -> None:
    assert strict_json.object_in(nested(16)) == json.loads(nested(16))
    assert refusal(nested(17)) == ("", "no deeper nesting than 16")


@pytest.mark.parametrize("text", [nested(900), nested(10_000), '{"a":' + "[" * 30_000 + "]" * 30_000 + "}"])
def test_a_text_that_is_nested_deeper_than_the_parser_can_read_is_refused(text: str) -> None:
    assert refusal(text) == ("", "no deeper nesting than 16")


@pytest.mark.parametrize("text", ["{" * 17 + '"' + '\\"' * 32_000, '{"a": "', '{"a": 1} {"b": 2}', "{'a': 1}"])
def test_a_text_that_is_no_json_document_is_refused(text: str) -> None:
    assert refusal(text) == ("", "a JSON document")


def test_brackets_within_strings_and_siblings_do_not_count_as_depth() -> None:
    text = json.dumps({"a": "[" * 100, "b": [[] for _ in range(100)]})
    assert strict_json.object_in(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"a": "x\\u0000"}', "/a"),
        ('{"a": [1, {"b": "\\ud800"}]}', "/a/1/b"),
        ('{"a": {"\\udfff": 1}}', "/a"),
        ('{"\\u0000": 1}', ""),
    ],
)
def test_a_string_that_cannot_be_stored_is_refused_with_its_pointer(text: str, pointer: str) -> None:
    assert refusal(text) == (pointer, "no NUL and no lone surrogate")


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert strict_json.object_in('{"a": "\\ud83c\\udfb2"}') == {"a": "🎲"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "a": 2}', "no member twice"),
        ('{"b": [{"a": 1, "a": 2}]}', "no member twice"),
        ('{"a": 1e999}', "a finite number"),
        ('{"a": NaN}', "a finite number"),
        ('{"a": ' + "9" * 5000 + "}", "a whole number of at most 15 digits"),
        ("[]", "an object"),
    ],
)
def test_a_document_that_two_parsers_could_read_differently_is_refused(text: str, expected: str) -> None:
    assert refusal(text) == ("", expected)
