"""Passwords and addresses over REST: changed, forgotten, confirmed; the links that mails carry also have pages."""

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import registration
from players.api import schema_examples
from players.api.authentication import identity
from players.api.responses import answer, kept_answer, now
from players.api.serializers import AcceptedSerializer, EmailBody, PasswordBody, ResetBody, TokenBody
from players.api.throttling import address_of
from players.database.idempotency import Answer, Asked, asked, once

ACCEPTED = {"status": "accepted"}
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 64 characters. The same key, path and body give the same answer again and change nothing.",
)


def asked_by(request: Request) -> Asked:
    return asked(identity(request).player, request.path, request.data, request.headers.get("Idempotency-Key"))


class MyPasswordView(APIView):
    @extend_schema(
        operation_id="changePassword",
        tags=["players"],
        summary="Another password; all other devices are logged out",
        parameters=[KEY],
        request=PasswordBody,
        responses={204: OpenApiResponse(description="Changed.")},
        examples=schema_examples.PASSWORD,
    )
    def post(self, request: Request) -> Response:
        body, caller = PasswordBody.read(request.data), identity(request)
        changed = registration.change_password(
            caller, body["old"], body["new"], address_of(request), asked_by(request), now()
        )
        return kept_answer(changed)


class MyConfirmationView(APIView):
    throttle_scope = "mails"

    @extend_schema(
        operation_id="askForConfirmation",
        tags=["players"],
        summary="Mail me another link by which I confirm my address",
        parameters=[KEY],
        request=None,
        responses={202: AcceptedSerializer},
    )
    def post(self, request: Request) -> Response:
        def ask() -> Answer:
            registration.ask_for_confirmation(identity(request).player, get_language() or "")
            return Answer(202, ACCEPTED)

        return kept_answer(once(asked_by(request), now(), ask))


class ConfirmationsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="confirmAddress",
        tags=["players"],
        summary="Confirm an address by the link that was mailed to it",
        request=TokenBody,
        responses={204: OpenApiResponse(description="Confirmed.")},
        examples=schema_examples.CONFIRM,
    )
    def post(self, request: Request) -> Response:
        registration.confirm(TokenBody.read(request.data)["token"], now())
        return Response(status=204)


class ForgottenPasswordsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "mails"

    @extend_schema(
        operation_id="forgetPassword",
        tags=["players"],
        summary="Mail a link for a new password to this address, if it is a confirmed one of an account",
        request=EmailBody,
        responses={202: AcceptedSerializer},
        examples=schema_examples.EMAIL,
    )
    def post(self, request: Request) -> Response:
        registration.ask_for_reset(EmailBody.read(request.data)["email"], get_language() or "")
        return answer(AcceptedSerializer, ACCEPTED, 202)


class ResetPasswordsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="resetPassword",
        tags=["players"],
        summary="A new password by the mailed link; all devices are logged out",
        request=ResetBody,
        responses={204: OpenApiResponse(description="Changed.")},
        examples=schema_examples.RESET,
    )
    def post(self, request: Request) -> Response:
        body = ResetBody.read(request.data)
        registration.reset_password(body["token"], body["new"], now())
        return Response(status=204)
