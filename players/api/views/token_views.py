"""Views of personal access tokens: make, list and revoke."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import names
from players.api import schema_examples
from players.api.field_errors import wrong
from players.api.fields import IdField, TimeField
from players.api.responses import now, private_response
from players.api.serializers import ProfileSerializer, RequestBody, TrimmedTextField
from players.api.token_authentication import identity
from players.integrations import access_tokens
from players.limits.budgets import TOKENS_PER_ACCOUNT
from players.sessions import scopes
from players.sessions.directory import directory
from players.sessions.models import Session

SCOPES = tuple(scopes.GRANTED)
TAG = "tokens"


class ScopesField(serializers.ListField):
    """A list of different scopes; each item has errors of its own."""

    def to_internal_value(self, data: Any) -> list[str]:
        if not isinstance(data, list):
            raise wrong("wrong_type", "a list of texts")
        if not 0 < len(data) <= len(SCOPES):
            raise wrong("too_long" if data else "too_short", f"each one of {', '.join(SCOPES)}")
        errors: Any = {number: error.detail for number, scope in enumerate(data) if (error := scope_error(scope))}
        if errors:
            raise serializers.ValidationError(errors)
        return data


def scope_error(scope: Any) -> ValidationError | None:
    if scope in SCOPES:
        return None
    return wrong("not_one_of" if isinstance(scope, str) else "wrong_type", f"one of {', '.join(SCOPES)}")


class NewTokenBody(RequestBody):
    """A token with scopes; `bot` makes it for one of the caller's bot accounts."""

    name = TrimmedTextField(
        names.token_name_error,
        names.MAX_DEVICE_LENGTH,
        min_length=1,
        help_text=f"What the token is for, in 1 to {names.MAX_DEVICE_LENGTH} characters.",
    )
    scopes = ScopesField(
        child=serializers.ChoiceField(choices=SCOPES),
        help_text="What the token may do. `play` includes `read`.",
    )
    expires_at = TimeField(
        required=False, allow_null=True, default=None, help_text="Null: it is valid until it is revoked."
    )
    bot = IdField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The bot account as which the token plays; its scopes are `bots` or `read`.",
    )


class AccessTokenSerializer(serializers.Serializer[Any]):
    """A personal access token, without its text."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SCOPES))
    player = ProfileSerializer(help_text="The player as whom the token acts.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="Accurate to a minute.")


class NewAccessTokenSerializer(AccessTokenSerializer):
    token = serializers.CharField(help_text="Shown once; the service stores only its hash.")


class AccessTokensSerializer(serializers.Serializer[Any]):
    """The valid tokens of the caller, the newest first."""

    results = AccessTokenSerializer(many=True)


EXAMPLE: dict[str, Any] = {
    "id": "01926f3c-11aa-7b02-9c31-6e2f8a4d7b10",
    "name": "Scores on my web site",
    "scopes": ["read"],
    "player": schema_examples.ACCOUNT,
    "created_at": schema_examples.AT,
    "expires_at": "2027-01-02T00:00:00Z",
    "last_used_at": None,
}
BODY = {name: EXAMPLE[name] for name in ("name", "scopes", "expires_at")}


class TokensView(APIView):
    def get_throttles(self) -> list[Any]:
        self.throttle_scope = "access_tokens" if self.request.method == "POST" else None
        return super().get_throttles()

    @extend_schema(
        operation_id="listAccessTokens",
        tags=[TAG],
        summary="List my personal access tokens, newest first",
        responses=AccessTokensSerializer,
        examples=[OpenApiExample("One token", {"results": [EXAMPLE]}, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        results = views_of(list(access_tokens.owned_by(identity(request).player)))
        return private_response(AccessTokensSerializer, {"results": results})

    @extend_schema(
        operation_id="createAccessToken",
        tags=[TAG],
        summary="Make a personal access token with scopes; its text is shown once",
        description=f"Only a device that is signed in to an account may make tokens, at most {TOKENS_PER_ACCOUNT}.",
        request=NewTokenBody,
        responses={201: NewAccessTokenSerializer},
        examples=[
            OpenApiExample("To read", BODY, request_only=True),
            OpenApiExample(
                "Made", {**EXAMPLE, "token": schema_examples.TOKEN}, response_only=True, status_codes=["201"]
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        body = NewTokenBody.read(request.data)
        new = access_tokens.create(identity(request).player, **body, now=now())
        content = {**views_of([new.row])[0], "token": new.token}
        response = private_response(NewAccessTokenSerializer, content, 201)
        response["Location"] = f"{request.path}/{new.row.pk}"
        return response


class TokenView(APIView):
    @extend_schema(
        operation_id="revokeAccessToken",
        tags=[TAG],
        summary="Revoke a personal access token",
        responses={204: OpenApiResponse(description="Revoked: every process refuses the token from now on.")},
    )
    def delete(self, request: Request, token_id: UUID) -> Response:
        access_tokens.revoke(identity(request).player, token_id, now())
        return Response(status=204)


def views_of(rows: list[Session]) -> list[dict[str, Any]]:
    profiles = directory.profiles_sync({row.player_id for row in rows})
    return [access_tokens.view(row, profiles[row.player_id]) for row in rows]
