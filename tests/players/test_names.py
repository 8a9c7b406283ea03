"""Names have 1 to 24 visible characters, devices up to 64; any other text is refused with a pointer."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from players.accounts import guests, names, profile
from players.api import serializers
from players.api.views import report_views
from players.database.refusal import RequestRefused
from tests.players.conftest import NOW

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    "name",
    ["A", "Ann", "Łukasz", "Жанна", "李雷", "محمد", "👩‍🚀", "O'Neil", "x" * 24, "a b", "<b>", "нет " * 6, "🎲" * 24],
)
def test_a_visible_name_is_allowed(name: str) -> None:
    assert names.name_error(names.normalize(name)) is None


@pytest.mark.parametrize(
    "name",
    ["", " ", "\t\n", "x" * 25, "A\x00", "\x00", "A\nB", "A\x7f", "\ud800", "A\udfff", "\u200b", "\u200d\u200c",
     "\ufeff", "\u00ad", "\u2060", "\u202eAnn", "A\u2066", "A\u200f", "\u3164", "\u2800", "\u0301", "A\u2028B",
     "🎲" * 25],
)  # fmt: skip
def test_a_name_without_visible_characters_or_with_controls_is_refused(name: str) -> None:
    assert names.name_error(names.normalize(name))


@given(ANYTHING)
@example("\u0958" * 24)  # normalization turns each into two characters
def test_an_allowed_name_is_visible_short_and_normalized(text: str) -> None:
    name = names.normalize(text)
    assert names.normalize(name) == name
    if names.name_error(name) is None:
        assert 1 <= len(name) <= 24
        assert name == name.strip()
        name.encode()
        assert not {unicodedata.category(character) for character in name} & {"Cc", "Cs", "Zl", "Zp"}
        assert any(character.isprintable() and not character.isspace() for character in name)


@given(ANYTHING)
def test_an_allowed_device_name_can_be_stored(text: str) -> None:
    device = names.normalize(text)
    if names.device_error(device) is None:
        assert len(device) <= 64
        assert "\x00" not in device
        device.encode()


TEXT_FIELDS = {
    f"{body.__name__}.{name}": field
    for body in (serializers.RegisterBody, serializers.EmailBody, serializers.ResetBody, report_views.ReportBody)
    for name, field in body().fields.items()
    if isinstance(field, serializers.TrimmedTextField)
}
MAX_LENGTHS = {name: field.max_length for name, field in TEXT_FIELDS.items() if field.max_length is not None}


@pytest.mark.parametrize(("name", "max_length"), MAX_LENGTHS.items())
def test_a_documented_max_length_applies_to_the_text_as_it_was_sent(name: str, max_length: int) -> None:
    """Fields that are normalized before the check have no `maxLength` in the document."""
    with pytest.raises(ValidationError):
        TEXT_FIELDS[name].run_validation("x" * max_length + " ")


@pytest.mark.parametrize("name", TEXT_FIELDS)
def test_no_field_accepts_a_text_that_is_too_long_to_store(name: str) -> None:
    with pytest.raises(ValidationError):
        TEXT_FIELDS[name].run_validation("x" * 1025)


def test_a_name_with_decomposed_accents_is_measured_after_normalization() -> None:
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
def test_a_refused_guest_points_at_the_wrong_member(given_: dict[str, str], pointer: str) -> None:
    with pytest.raises(RequestRefused) as refusal:
        guests.create_guest(NOW, **given_)
    assert refusal.value.code == "malformed"
    assert refusal.value.data["errors"][0][0] == pointer  # type: ignore[index]


def test_the_repr_of_a_new_session_has_no_token(db: None) -> None:
    new_session = guests.create_guest(NOW, "Ann")
    assert new_session.token not in f"{new_session} {new_session!r}"
    assert "Ann" in repr(new_session)


def test_a_guest_without_a_name_gets_a_generated_name(db: None) -> None:
    new_session = guests.create_guest(NOW)
    assert new_session.player.name.startswith("Guest ")
    assert names.name_error(new_session.player.name) is None


@given(ANYTHING)
def test_a_locale_is_a_supported_language(text: str) -> None:
    assert (text in profile.locales()) == (text in ("en", "de", "ru", "uk", "pl"))
