"""What clients send to the players' API and what they get; the schema is made of it."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from players.accounts import email_addresses, names, passwords
from players.database.refusal import Refused
from players.sessions import sessions


class Text(serializers.CharField):
    """A text and nothing else; numbers are not turned into one.

    Blanks around it and accents written apart do not count for its length, which a schema cannot say: it is told in
    words, and `max_length` is not given.
    """

    def __init__(self, flaw_of: Callable[[str], str | None], **options: Any) -> None:
        super().__init__(**options)
        self.flaw_of = flaw_of

    def run_validation(self, data: Any = empty) -> Any:
        if data is empty:
            return super().run_validation(data)
        text = self.counted(data) if isinstance(data, str) else None
        flaw = "a text" if text is None else self.flaw_of(text)
        if flaw:
            raise serializers.ValidationError(flaw)
        return text

    def counted(self, text: str) -> str:
        return names.trimmed(text)


class Secret(Text):
    """Every character of a password counts, blanks at its ends too."""

    def counted(self, text: str) -> str:
        return text


class Body(serializers.Serializer[Any]):
    @classmethod
    def read(cls, data: Any) -> dict[str, Any]:
        """What was sent, or a refusal that points at all that is wrong with it."""
        body = cls(data=data)
        if not isinstance(data, dict):
            raise Refused("malformed", errors=[("", "an object")])
        if not body.is_valid():
            raise Refused("malformed", errors=[(f"/{name}", str(flaws[0])) for name, flaws in body.errors.items()])
        return dict(body.validated_data)


def name_field(*, required: bool = False) -> Text:
    said = f"1 to {names.LONGEST_NAME} visible characters, not unique."
    return Text(names.flaw_of_name, required=required, min_length=1, help_text=said)


def device_field() -> Text:
    return Text(
        names.flaw_of_device,
        required=False,
        allow_blank=True,
        help_text=f"What the player calls this device, in at most {names.LONGEST_DEVICE} characters.",
    )


def email_field() -> Text:
    """An address that is only looked for may be any text: what nobody has is nobody's."""
    return Text(flaw_of_length, min_length=1, help_text=f"At most {email_addresses.LONGEST} characters.")


def flaw_of_length(email: str) -> str | None:
    return None if 1 <= len(email) <= email_addresses.LONGEST else f"1 to {email_addresses.LONGEST} characters"


def password_field(**options: Any) -> Secret:
    return Secret(passwords.flaw_of_password, min_length=1, max_length=passwords.LONGEST, **options)


def flaw_of_link(token: str) -> str | None:
    return None if 1 <= len(token) <= 200 else "1 to 200 characters"


class GuestBody(Body):
    name = name_field()
    device = device_field()


class RegisterBody(Body):
    name = name_field(required=True)
    email = Text(
        email_addresses.flaw_of_address, help_text=f"An e-mail address of at most {email_addresses.LONGEST} characters."
    )
    password = password_field(help_text="Strong enough, or `weak_password` says what is wrong with it.")
    device = device_field()


class SignInBody(Body):
    email = email_field()
    password = password_field()
    device = device_field()


class PasswordBody(Body):
    old = password_field()
    new = password_field()


class EmailBody(Body):
    email = email_field()


class TokenBody(Body):
    token = Text(flaw_of_link, help_text="The last part of the mailed link.")


class ResetBody(TokenBody):
    new = password_field()


class LocaleField(serializers.ChoiceField):
    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and (not isinstance(data, str) or sessions.flaw_of_locale(data)):
            raise serializers.ValidationError(sessions.flaw_of_locale("?"))
        return super().run_validation(data)


class ChangeBody(Body):
    name = name_field()
    locale = LocaleField(
        choices=sessions.locales(),
        allow_blank=True,
        required=False,
        help_text="The language of this player; empty: as each request asks for.",
    )


class ProfileSerializer(serializers.Serializer[Any]):
    """A player as everybody may see him."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField()


class ProfilesSerializer(serializers.Serializer[Any]):
    results = ProfileSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class OpenedSerializer(serializers.Serializer[Any]):
    """A player, and the token of a new session: it is shown only here."""

    player = ProfileSerializer()
    token = serializers.CharField()


class MeSerializer(ProfileSerializer):
    """A player as he sees himself."""

    locale = serializers.ChoiceField(choices=sessions.locales(), allow_blank=True)
    email = serializers.EmailField(allow_null=True, help_text="Null for guests.")
    email_confirmed = serializers.BooleanField(help_text="Only a confirmed address is sent links for a new password.")
    created_at = serializers.DateTimeField()
    games_waiting = serializers.IntegerField(help_text="How many games wait for this player.")


class SessionSerializer(serializers.Serializer[Any]):
    """A device that is logged in."""

    id = serializers.UUIDField()
    device = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    current = serializers.BooleanField(help_text="The one that this call was made with.")


class SessionsSerializer(serializers.Serializer[Any]):
    results = SessionSerializer(many=True)


class ExportSerializer(serializers.Serializer[Any]):
    """All that is stored about the caller; parts of the service add members of their own."""

    player = serializers.DictField()
    sessions = serializers.ListField(child=serializers.DictField())
    keys = serializers.ListField(child=serializers.DictField(), help_text="Idempotency keys and when they were used.")
    games = serializers.ListField(child=serializers.DictField(), required=False)


class AcceptedSerializer(serializers.Serializer[Any]):
    """The answer is the same whether anything will be mailed or not."""

    status = serializers.ChoiceField(choices=["accepted"])
