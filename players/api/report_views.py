"""POST /players/{id}/reports: what one player has to say against another; the other is told nothing of it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.api.authentication import identity
from players.api.password_views import KEY, asked_by
from players.api.responses import kept_answer, now
from players.api.serializers import Body, Text
from players.database.idempotency import Answer, once
from players.moderation import moderation


class ReasonField(serializers.ChoiceField):
    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and (not isinstance(data, str) or data not in moderation.REASONS):
            raise serializers.ValidationError(f"one of {', '.join(moderation.REASONS)}")
        return super().run_validation(data)


def flaw_of_text(text: str) -> str | None:
    return None if len(text) <= moderation.LONGEST and "\0" not in text else f"0 to {moderation.LONGEST} characters"


class IdField(serializers.UUIDField):
    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and data is not None and not isinstance(data, str):
            raise serializers.ValidationError("a UUID")
        try:
            return super().run_validation(data)
        except serializers.ValidationError:
            raise serializers.ValidationError("a UUID") from None


class ReportBody(Body):
    reason = ReasonField(choices=moderation.REASONS)
    game = IdField(required=False, allow_null=True, help_text="The game in which it happened.")
    text = Text(
        flaw_of_text,
        required=False,
        allow_blank=True,
        help_text=f"In one's own words, at most {moderation.LONGEST} characters.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    created_at = serializers.DateTimeField()


class ReportsView(APIView):
    throttle_scope = "reports"

    @extend_schema(
        operation_id="reportPlayer",
        tags=["players"],
        summary="Tell the staff what is wrong with this player",
        parameters=[KEY],
        request=ReportBody,
        responses={201: ReportSerializer},
        examples=schema_examples.REPORT,
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        body = {"game": None, "text": "", **ReportBody.read(request.data)}
        moment = now()

        def report() -> Answer:
            taken = moderation.report(identity(request).player, player_id, now=moment, **body)
            return Answer(201, dict(ReportSerializer(taken).data))

        return kept_answer(once(asked_by(request), moment, report))
