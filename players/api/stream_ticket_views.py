"""POST /stream-tickets: what a browser, which cannot send a header with a stream, shows in its place."""

from datetime import UTC, datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.database.refusal import Refused
from players.sessions import stream_tickets
from players.sessions.authentication import bearer_digest


class TicketSerializer(serializers.Serializer[stream_tickets.Ticket]):
    ticket = serializers.CharField(help_text="Single use, as `?ticket=` of a stream.")
    expires_at = serializers.DateTimeField()


class TicketsView(APIView):
    @extend_schema(
        operation_id="buyStreamTicket",
        tags=["sessions"],
        summary="A ticket for one connection of a stream, good for 30 seconds",
        request=None,
        responses={201: TicketSerializer},
        examples=schema_examples.TICKET,
    )
    def post(self, request: Request) -> Response:
        _ = request.data  # nothing of it is wanted, but it is judged as any body
        digest = bearer_digest(request.headers.get("Authorization"))
        if digest is None:
            raise Refused("not_authenticated")
        now = datetime.now(UTC)  # noqa: TID251  (a door)
        bought = TicketSerializer(stream_tickets.buy(digest, now)).data
        return Response(bought, 201, headers={"Cache-Control": "no-store"})
