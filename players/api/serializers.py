"""What clients send to the players' API and what they get; the schema is made of it."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from players import names, sessions
from players.refused import Refused


class Text(serializers.CharField):
    """A text and nothing else; numbers are not turned into one."""

    def __init__(self, flaw_of: Callable[[str], str | None], **options: Any) -> None:
        super().__init__(**options)
        self.flaw_of = flaw_of

    def run_validation(self, data: Any = empty) -> Any:
        if data is empty:
            return super().run_validation(data)
        flaw = self.flaw_of(names.trimmed(data)) if isinstance(data, str) else "a text"
        if flaw:
            raise serializers.ValidationError(flaw)
        return names.trimmed(data)


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


def name_field() -> Text:
    limits = {"min_length": 1, "max_length": names.LONGEST_NAME}
    return Text(names.flaw_of_name, required=False, help_text="1 to 24 visible characters, not unique.", **limits)


class GuestBody(Body):
    name = name_field()
    device = Text(
        names.flaw_of_device,
        required=False,
        allow_blank=True,
        max_length=names.LONGEST_DEVICE,
        help_text="What the player calls this device.",
    )


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


class OpenedSerializer(serializers.Serializer[Any]):
    """A player, and the token of a new session: it is shown only here."""

    player = ProfileSerializer()
    token = serializers.CharField()


class MeSerializer(ProfileSerializer):
    """A player as he sees himself."""

    locale = serializers.ChoiceField(choices=sessions.locales(), allow_blank=True)
    email = serializers.EmailField(allow_null=True, help_text="Null for guests.")
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
