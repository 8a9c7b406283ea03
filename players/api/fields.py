"""Fields of request bodies whose errors have the codes of the API."""

from typing import Any

from rest_framework import serializers

from players.api.field_errors import wrong


class IdField(serializers.UUIDField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            raise wrong("wrong_type", "a UUID")
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError:
            raise wrong("wrong_format", "a UUID") from None


class TimeField(serializers.DateTimeField):
    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise wrong("wrong_type", "a text")
        try:
            return super().to_internal_value(value)
        except serializers.ValidationError:
            raise wrong("wrong_format", "a time such as `2026-01-31T12:00:00Z`") from None
