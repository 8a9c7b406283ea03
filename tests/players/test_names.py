"""Names are 1 to 24 visible characters, devices up to 64; anything else is malformed and points at itself."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from players.accounts import names
from players.api import report_views, serializers
from players.database.refusal import Refused
from players.sessions import sessions
from tests.players.conftest import NOW

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    "name",
    ["A", "Ann", "Łukasz", "Жанна", "李雷", "محمد", "👩‍🚀", "O'Neil", "x" * 24, "a b", "<b>", "нет " * 6, "🎲" * 24],
)
def test_people_may_be_called_as_they_like(name: str) -> None:
    assert names.flaw_of_name(names.trimmed(name)) is None


@pytest.mark.parametrize(
    "name",
    ["", " ", "\t\n", "x" * 25, "A\x00", "\x00", "A\nB", "A\x7f", "\ud800", "A\udfff", "\u200b", "\u200d\u200c",
     "\ufeff", "\u00ad", "\u2060", "\u202eAnn", "A\u2066", "A\u200f", "\u3164", "\u2800", "\u0301", "A\u2028B",
     "🎲" * 25],
)  # fmt: skip
def test_what_cannot_be_seen_or_turns_the_page_is_no_name(name: str) -> None:
    assert names.flaw_of_name(names.trimmed(name))


@given(ANYTHING)
@example("\u0958" * 24)  # is written with two characters each
def test_a_name_that_passes_is_visible_short_and_stays_as_it_is(text: str) -> None:
    name = names.trimmed(text)
    assert names.trimmed(name) == name
    if names.flaw_of_name(name) is None:
        assert 1 <= len(name) <= 24
        assert name == name.strip()
        name.encode()
        assert not {unicodedata.category(sign) for sign in name} & {"Cc", "Cs", "Zl", "Zp"}
        assert any(sign.isprintable() and not sign.isspace() for sign in name)


@given(ANYTHING)
def test_a_device_that_passes_can_be_stored(text: str) -> None:
    device = names.trimmed(text)
    if names.flaw_of_device(device) is None:
        assert len(device) <= 64
        assert "\x00" not in device
        device.encode()


TEXTS = {
    f"{body.__name__}.{name}": field
    for body in (serializers.RegisterBody, serializers.EmailBody, serializers.ResetBody, report_views.ReportBody)
    for name, field in body().fields.items()
    if isinstance(field, serializers.Text)
}
LIMITED = {name: field.max_length for name, field in TEXTS.items() if field.max_length is not None}


@pytest.mark.parametrize(("name", "longest"), LIMITED.items())
def test_a_length_that_the_document_gives_is_one_of_the_text_as_it_was_sent(name: str, longest: int) -> None:
    """Blanks around a text and accents written apart do not count, so most texts have no length a schema could say."""
    with pytest.raises(ValidationError):
        TEXTS[name].run_validation("x" * longest + " ")


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_longer_than_can_be_stored(name: str) -> None:
    with pytest.raises(ValidationError):
        TEXTS[name].run_validation("x" * 1025)


def test_accents_that_a_keyboard_writes_apart_do_not_make_a_name_too_long() -> None:
    assert serializers.name_field().run_validation(" " + "e\u0301" * 24) == "\u00e9" * 24


@pytest.mark.parametrize(
    ("given_", "pointer"),
    [
        ({"name": "\x00"}, "/name"),
        ({"name": "\ud800"}, "/name"),
        ({"name": "  "}, "/name"),
        ({"device": "\x00"}, "/device"),
        ({"device": "x" * 65}, "/device"),
    ],
)
def test_a_refusal_points_at_what_is_wrong(given_: dict[str, str], pointer: str) -> None:
    with pytest.raises(Refused) as refusal:
        sessions.make_guest(NOW, **given_)
    assert refusal.value.code == "malformed"
    assert refusal.value.data["errors"][0][0] == pointer  # type: ignore[index]


def test_what_is_printed_of_a_new_session_has_no_token(db: None) -> None:
    opened = sessions.make_guest(NOW, "Ann")
    assert opened.token not in f"{opened} {opened!r}"
    assert "Ann" in repr(opened)


def test_a_guest_without_a_name_gets_a_friendly_one(db: None) -> None:
    opened = sessions.make_guest(NOW)
    assert opened.player.name.startswith("Guest ")
    assert names.flaw_of_name(opened.player.name) is None


@given(ANYTHING)
def test_a_language_is_one_of_ours_or_none(text: str) -> None:
    assert (sessions.flaw_of_locale(text) is None) == (text in ("", "en", "de", "ru", "uk", "pl"))
