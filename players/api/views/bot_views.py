"""Views of bot accounts: make, list and delete."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.api.responses import now, private_response, stored_response
from players.api.serializers import ProfileSerializer, RequestBody, name_field
from players.api.token_authentication import identity
from players.api.views.password_views import KEY, idempotent_request
from players.database.idempotency import IdempotentResponse, once
from players.integrations import bot_accounts
from players.limits.budgets import BOTS_PER_ACCOUNT

TAG = "bots"


class NewBotBody(RequestBody):
    """The name of a new bot account."""

    name = name_field(required=True)


class BotAccountSerializer(ProfileSerializer):
    """A bot account."""

    created_at = serializers.DateTimeField()


class BotAccountsListSerializer(serializers.Serializer[Any]):
    """The bot accounts of the caller."""

    results = BotAccountSerializer(many=True)


BOT = {
    "id": "01926f3d-4a10-7d55-8e2b-0c9f1a7b3e42",
    "name": "Robot",
    "is_guest": False,
    "is_bot": True,
    "created_at": schema_examples.AT,
}


class BotAccountsView(APIView):
    def get_throttles(self) -> list[Any]:
        """The row of a deleted bot stays, as its games do: making them has a limit of its own."""
        self.throttle_scope = "bots" if self.request.method == "POST" else None
        return super().get_throttles()

    @extend_schema(
        operation_id="listBots",
        tags=[TAG],
        summary="List my bot accounts, newest first",
        responses=BotAccountsListSerializer,
        examples=[OpenApiExample("One bot", {"results": [BOT]}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        results = [bot_accounts.view(bot) for bot in bot_accounts.owned_by(identity(request).player)]
        return private_response(BotAccountsListSerializer, {"results": results})

    @extend_schema(
        operation_id="createBot",
        tags=[TAG],
        summary="Make a bot account of mine: a player that a program plays as",
        description=(
            f"At most {BOTS_PER_ACCOUNT} of an account. It plays with a token of scope `bots` "
            "(`POST /players/me/tokens` with `bot`), is shown with `is_bot`, and never in rated games."
        ),
        parameters=[KEY],
        request=NewBotBody,
        responses={201: BotAccountSerializer},
        examples=[
            OpenApiExample("Robot", {"name": "Robot"}, request_only=True),
            OpenApiExample("Made", BOT, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: Request) -> Response:
        owner, body = identity(request).player, NewBotBody.read(request.data)

        def create() -> IdempotentResponse:
            bot = bot_accounts.view(bot_accounts.create(owner, **body))
            return IdempotentResponse(201, dict(BotAccountSerializer(bot).data))

        response = stored_response(once(idempotent_request(request), now(), create))
        response["Location"] = f"/api/v1/players/{response.data['id']}"
        return response


class BotAccountView(APIView):
    @extend_schema(
        operation_id="deleteBot",
        tags=[TAG],
        summary="Delete a bot account of mine; its games and their logs stay",
        responses={204: OpenApiResponse(description="Deleted: out of every game, its tokens revoked.")},
    )
    def delete(self, request: Request, player_id: UUID) -> Response:
        bot_accounts.delete(identity(request).player, player_id, now())
        return Response(status=204)
