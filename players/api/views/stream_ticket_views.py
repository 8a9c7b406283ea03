"""The view that sells stream tickets to browsers, which cannot send a header with a WebSocket."""

from datetime import UTC, datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.database.refusal import RequestRefused
from players.sessions import stream_tickets
from players.sessions.authentication import bearer_digest


class StreamTicketSerializer(serializers.Serializer[stream_tickets.StreamTicket]):
    """A ticket for one connection."""

    ticket = serializers.CharField(help_text="Used once, as `?ticket=` of a stream.")
    expires_at = serializers.DateTimeField()


class StreamTicketsView(APIView):
    @extend_schema(
        operation_id="createStreamTicket",
        tags=["sessions"],
        summary="Get a ticket for one stream connection, valid for 30 seconds",
        request=None,
        responses={201: StreamTicketSerializer},
        examples=schema_examples.TICKET,
    )
    def post(self, request: Request) -> Response:
        _ = request.data  # parsed only to refuse a malformed body
        digest = bearer_digest(request.headers.get("Authorization"))
        if digest is None:
            raise RequestRefused("not_authenticated")
        now = datetime.now(UTC)  # noqa: TID251  (adapters read the clock)
        ticket = StreamTicketSerializer(stream_tickets.issue(digest, now)).data
        return Response(ticket, 201, headers={"Cache-Control": "no-store", "Location": request.path})
