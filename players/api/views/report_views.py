"""The view that reports a player to the staff; the reported player is not notified."""

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
from players.api.responses import now, stored_response
from players.api.serializers import RequestBody, TrimmedTextField
from players.api.views.password_views import KEY, idempotent_request
from players.database.idempotency import IdempotentResponse, once
from players.moderation import reports


class ReasonField(serializers.ChoiceField):
    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and (not isinstance(data, str) or data not in reports.REASONS):
            raise serializers.ValidationError(f"one of {', '.join(reports.REASONS)}")
        return super().run_validation(data)


def text_error(text: str) -> str | None:
    return (
        None
        if len(text) <= reports.MAX_TEXT_LENGTH and "\0" not in text
        else f"0 to {reports.MAX_TEXT_LENGTH} characters"
    )


class IdField(serializers.UUIDField):
    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and data is not None and not isinstance(data, str):
            raise serializers.ValidationError("a UUID")
        try:
            return super().run_validation(data)
        except serializers.ValidationError:
            raise serializers.ValidationError("a UUID") from None


class ReportBody(RequestBody):
    reason = ReasonField(choices=reports.REASONS)
    game = IdField(required=False, allow_null=True, help_text="The game in which it happened.")
    text = TrimmedTextField(
        text_error,
        required=False,
        allow_blank=True,
        help_text=f"A description of at most {reports.MAX_TEXT_LENGTH} characters.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    created_at = serializers.DateTimeField()


class ReportsView(APIView):
    throttle_scope = "reports"

    @extend_schema(
        operation_id="reportPlayer",
        tags=["players"],
        summary="Report a player to the staff",
        parameters=[KEY],
        request=ReportBody,
        responses={201: ReportSerializer},
        examples=schema_examples.REPORT,
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        body = {"game": None, "text": "", **ReportBody.read(request.data)}
        moment = now()

        def report() -> IdempotentResponse:
            created = reports.report(identity(request).player, player_id, now=moment, **body)
            return IdempotentResponse(201, dict(ReportSerializer(created).data))

        return stored_response(once(idempotent_request(request), moment, report))
