"""Request bodies and responses of the players' API; the OpenAPI document is generated from them."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from players.accounts import names, passwords, profile
from players.api.field_errors import errors_in, step_of, wrong
from players.database.refusal import RequestRefused, Wrong, length_error
from players.mail import email_addresses


class TrimmedTextField(serializers.CharField):
    """A string whose length is checked after normalization; numbers are not converted to strings.

    A schema cannot express a length after normalization, so the description states it and `max_length` is not set.
    """

    def __init__(
        self, error_of: Callable[[str], Wrong | None], stored_length: int = names.MAX_TEXT_LENGTH, **options: Any
    ) -> None:
        super().__init__(**options)
        self.error_of, self.stored_length = error_of, stored_length

    def run_validation(self, data: Any = empty) -> Any:
        if data is empty:
            return super().run_validation(data)
        if not isinstance(data, str):
            raise wrong("wrong_type", "a text")
        text = self.normalize(data)
        if error := self.error_of(text):
            raise wrong(*error)
        return text

    def normalize(self, text: str) -> str:
        return names.normalize(text, self.stored_length)


class PasswordField(TrimmedTextField):
    """Every character of a password counts, including blanks at its ends."""

    def normalize(self, text: str) -> str:
        return text


class RequestBody(serializers.Serializer[Any]):
    @classmethod
    def read(cls, data: Any) -> dict[str, Any]:
        """The validated body; an invalid body is refused with a pointer to each error."""
        if not isinstance(data, dict):
            raise RequestRefused("malformed", errors=[("", "wrong_type", "an object")])
        body = cls(data=data)
        errors: list[Any] = [] if body.is_valid() else list(errors_in("", body.errors))
        errors += [(f"/{step_of(name)}", "unknown", "") for name in data if name not in body.fields]
        if errors:
            raise RequestRefused("malformed", errors=errors)
        return dict(body.validated_data)


def name_field(*, required: bool = False) -> TrimmedTextField:
    description = f"1 to {names.MAX_NAME_LENGTH} visible characters, not unique."
    return TrimmedTextField(
        names.name_error, names.MAX_NAME_LENGTH, required=required, min_length=1, help_text=description
    )


def device_field() -> TrimmedTextField:
    return TrimmedTextField(
        names.device_error,
        names.MAX_DEVICE_LENGTH,
        required=False,
        allow_blank=True,
        help_text=f"What the player calls this device, in at most {names.MAX_DEVICE_LENGTH} characters.",
    )


def email_field() -> TrimmedTextField:
    """An address that is only looked up may be any text."""
    description = f"At most {email_addresses.MAX_LENGTH} characters."
    return TrimmedTextField(email_length_error, email_addresses.MAX_LENGTH, min_length=1, help_text=description)


def email_length_error(email: str) -> Wrong | None:
    return length_error(email, 1, email_addresses.MAX_LENGTH)


def password_field(**options: Any) -> PasswordField:
    return PasswordField(passwords.password_error, min_length=1, max_length=passwords.MAX_PASSWORD_LENGTH, **options)


def link_error(token: str) -> Wrong | None:
    return length_error(token, 1, 200)


class GuestBody(RequestBody):
    """Both members are optional: without a name the service gives one."""

    name = name_field()
    device = device_field()


class RegisterBody(RequestBody):
    """A new account, and the name of this device."""

    name = name_field(required=True)
    email = TrimmedTextField(
        email_addresses.address_error,
        email_addresses.MAX_LENGTH,
        help_text=f"An e-mail address of at most {email_addresses.MAX_LENGTH} characters.",
    )
    password = password_field(help_text="A weak password is refused with `weak_password` and the reasons.")
    device = device_field()


class SignInBody(RequestBody):
    """The address and password of an account, and the name of this device."""

    email = email_field()
    password = password_field()
    device = device_field()


class PasswordBody(RequestBody):
    """The old password of the account, and the new one."""

    old = password_field()
    new = password_field()


class EmailBody(RequestBody):
    """The address of an account."""

    email = email_field()


class TokenBody(RequestBody):
    """The token of a mailed link."""

    token = TrimmedTextField(link_error, help_text="The last part of the mailed link.")


class ResetBody(TokenBody):
    """The token of a mailed link, and the new password."""

    new = password_field()


class LocaleField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise wrong("wrong_type", "a text")
        if data not in profile.locales():
            raise wrong("not_one_of", f"one of {', '.join(profile.locales())}")
        return data


class ChangeBody(RequestBody):
    """The members to change; the others stay as they are."""

    name = name_field()
    locale = LocaleField(
        choices=profile.locales(),
        allow_null=True,
        required=False,
        help_text="The language of this player; null: the language of each request.",
    )


class ProfileSerializer(serializers.Serializer[Any]):
    """A player as all players see them."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField()


class ProfilesSerializer(serializers.Serializer[Any]):
    """A page of players."""

    results = ProfileSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class NewSessionSerializer(serializers.Serializer[Any]):
    """A player and the token of a new session, which is shown only once."""

    player = ProfileSerializer()
    token = serializers.CharField()


class MeSerializer(ProfileSerializer):
    """A player as they see themselves."""

    locale = serializers.ChoiceField(
        choices=profile.locales(), allow_null=True, help_text="The language of this player; null: that of each request."
    )
    email = serializers.CharField(allow_null=True, help_text="Null for guests.")
    email_confirmed = serializers.BooleanField(help_text="Only a confirmed address receives links for a new password.")
    created_at = serializers.DateTimeField()
    games_waiting = serializers.IntegerField(help_text="The number of games that wait for this player.")


class SessionSerializer(serializers.Serializer[Any]):
    """A device that is logged in."""

    id = serializers.UUIDField()
    device = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField(allow_null=True, help_text="Accurate to a minute.")
    current = serializers.BooleanField(help_text="Whether this request was made with this session.")


class SessionsSerializer(serializers.Serializer[Any]):
    """The devices on which the caller is logged in."""

    results = SessionSerializer(many=True)


class DataExportSerializer(serializers.Serializer[Any]):
    """All data that is stored about the caller; there are more members than these."""

    player = serializers.DictField()
    sessions = serializers.ListField(child=serializers.DictField())
    keys = serializers.ListField(child=serializers.DictField(), help_text="Idempotency keys and when they were used.")
    games = serializers.ListField(child=serializers.DictField(), required=False)


class AcceptedSerializer(serializers.Serializer[Any]):
    """The response is the same whether or not a mail will be sent."""

    status = serializers.ChoiceField(choices=["accepted"])
