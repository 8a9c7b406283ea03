"""The view that reports a player to the staff; the reported player is not notified."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.api.field_errors import wrong
from players.api.fields import IdField
from players.api.responses import now, stored_response
from players.api.serializers import RequestBody, TrimmedTextField
from players.api.token_authentication import identity
from players.api.views.password_views import KEY, idempotent_request
from players.database.idempotency import IdempotentResponse, once
from players.database.refusal import Wrong, length_error
from players.moderation import reports


class ReasonField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise wrong("wrong_type", "a text")
        if data not in reports.REASONS:
            raise wrong("not_one_of", f"one of {', '.join(reports.REASONS)}")
        return data


def text_error(text: str) -> Wrong | None:
    if "\0" in text:
        return "wrong_format", "text without control characters"
    return length_error(text, 0, reports.MAX_TEXT_LENGTH)


class ReportBody(RequestBody):
    """Why a player is reported, and in which game."""

    reason = ReasonField(choices=reports.REASONS)
    game = IdField(required=False, allow_null=True, help_text="The game in which it happened.")
    text = TrimmedTextField(
        text_error,
        required=False,
        allow_blank=True,
        help_text=f"A description of at most {reports.MAX_TEXT_LENGTH} characters.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    """A report that the staff will read."""

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

        response = stored_response(once(idempotent_request(request), moment, report))
        response["Location"] = f"{request.path}/{response.data['id']}"
        return response
