"""Views that change or reset passwords and confirm addresses."""

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import registration
from players.api import schema_examples
from players.api.responses import now, private_response, stored_response
from players.api.serializers import AcceptedSerializer, EmailBody, PasswordBody, ResetBody, TokenBody
from players.api.throttling import address_of
from players.api.token_authentication import identity
from players.database.idempotency import IdempotentRequest, IdempotentResponse, once, read_request

ACCEPTED = {"status": "accepted"}
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64},
    OpenApiParameter.HEADER,
    description="A repeated request with the same key, path and body gets the same response.",
)


def idempotent_request(request: Request) -> IdempotentRequest:
    return read_request(identity(request).player, request.path, request.data, request.headers.get("Idempotency-Key"))


class MyPasswordView(APIView):
    @extend_schema(
        operation_id="changePassword",
        tags=["players"],
        summary="Change my password and log all my other devices out",
        parameters=[KEY],
        request=PasswordBody,
        responses={204: OpenApiResponse(description="Changed.")},
        examples=schema_examples.PASSWORD,
    )
    def post(self, request: Request) -> Response:
        body, caller = PasswordBody.read(request.data), identity(request)
        changed = registration.change_password(
            caller, body["old"], body["new"], address_of(request), idempotent_request(request), now()
        )
        return stored_response(changed)


class MyConfirmationView(APIView):
    throttle_scope = "mails"

    @extend_schema(
        operation_id="requestConfirmation",
        tags=["players"],
        summary="Send me another mail with a link that confirms my address",
        parameters=[KEY],
        request=None,
        responses={202: AcceptedSerializer},
        examples=[schema_examples.ACCEPTED],
    )
    def post(self, request: Request) -> Response:
        def request_mail() -> IdempotentResponse:
            registration.request_confirmation(identity(request).player, get_language() or "")
            return IdempotentResponse(202, ACCEPTED)

        return stored_response(once(idempotent_request(request), now(), request_mail))


class ConfirmationsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="confirmAddress",
        tags=["players"],
        summary="Confirm an address with the mailed token",
        request=TokenBody,
        responses={204: OpenApiResponse(description="Confirmed.")},
        examples=schema_examples.CONFIRM,
    )
    def post(self, request: Request) -> Response:
        registration.confirm_address(TokenBody.read(request.data)["token"], now())
        return Response(status=204)


class ForgottenPasswordsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "mails"

    @extend_schema(
        operation_id="requestPasswordReset",
        tags=["players"],
        summary="Mail a link for a new password, if the address is a confirmed address of an account",
        request=EmailBody,
        responses={202: AcceptedSerializer},
        examples=schema_examples.EMAIL,
    )
    def post(self, request: Request) -> Response:
        registration.request_reset(EmailBody.read(request.data)["email"], get_language() or "")
        return private_response(AcceptedSerializer, ACCEPTED, 202)


class ResetPasswordsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="resetPassword",
        tags=["players"],
        summary="Set a new password with the mailed token and log all devices out",
        request=ResetBody,
        responses={204: OpenApiResponse(description="Changed.")},
        examples=schema_examples.RESET,
    )
    def post(self, request: Request) -> Response:
        body = ResetBody.read(request.data)
        registration.reset_password(body["token"], body["new"], now())
        return Response(status=204)
