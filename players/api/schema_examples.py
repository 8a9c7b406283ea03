"""Examples and the security scheme of the OpenAPI document."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample

ANN = {"id": "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57", "name": "Ann", "is_guest": True, "is_bot": False}
AT = "2026-01-02T03:04:05.678901Z"

TOKEN = "qx_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA"  # noqa: S105  (an example)

GUEST = [
    OpenApiExample("Name and device", {"name": "Ann", "device": "Ann's phone"}, request_only=True),
    OpenApiExample("Empty body", {}, request_only=True),
    OpenApiExample(
        "Ann",
        {"player": ANN, "token": TOKEN},
        response_only=True,
        status_codes=["201"],
    ),
]
ACCOUNT = {**ANN, "is_guest": False}
CREDENTIALS = {"email": "ann@example.org", "password": "correct horse battery"}
OPENED = OpenApiExample("Ann", {"player": ACCOUNT, "token": TOKEN}, response_only=True, status_codes=["201"])
REGISTER = [
    OpenApiExample("Ann", {"name": "Ann", **CREDENTIALS, "device": "Ann's phone"}, request_only=True),
    OPENED,
]
SIGN_IN = [OpenApiExample("Ann", {**CREDENTIALS, "device": "Ann's tablet"}, request_only=True), OPENED]
PASSWORD = [
    OpenApiExample(
        "Old and new password", {"old": "correct horse battery", "new": "staple in a haystack"}, request_only=True
    )
]
ACCEPTED = OpenApiExample("Accepted", {"status": "accepted"}, response_only=True, status_codes=["202"])
EMAIL = [OpenApiExample("Ann", {"email": "ann@example.org"}, request_only=True), ACCEPTED]
LINK = "AZJvOnxeex2aQD9sLY4bVwBp..."
RESET = [OpenApiExample("Token of the mailed link", {"token": LINK, "new": "staple in a haystack"}, request_only=True)]
CONFIRM = [OpenApiExample("Token of the mailed link", {"token": LINK}, request_only=True)]
PLAYER = [OpenApiExample("Ann", ANN, response_only=True)]
PROFILES = [OpenApiExample("One player", {"results": [ANN], "next": None, "previous": None}, response_only=True)]
ME = [
    OpenApiExample(
        "Ann, a guest",
        {**ANN, "locale": "de", "email": None, "email_confirmed": False, "created_at": AT, "games_waiting": 2},
        response_only=True,
    )
]
PROFILE = {"id": ANN["id"], "name": "Ann", "email": None, "is_guest": True, "locale": "de", "created_at": AT}
DEVICE = {"id": "01926f3a-7c60-7f02-8d11-0b9e4c7a6f33", "device": "Ann's phone", "created_at": AT, "revoked_at": None}
EXPORT = [
    OpenApiExample("A guest", {"player": PROFILE, "sessions": [DEVICE], "keys": [], "games": []}, response_only=True)
]
CHANGE = [OpenApiExample("Another name", {"name": "Anna", "locale": "de"}, request_only=True)]
SESSIONS = [
    OpenApiExample(
        "One device",
        {
            "results": [
                {
                    "id": "01926f3a-7c60-7f02-8d11-0b9e4c7a6f33",
                    "device": "Ann's phone",
                    "created_at": AT,
                    "last_seen_at": AT,
                    "current": True,
                }
            ]
        },
        response_only=True,
    )
]
TICKET = [
    OpenApiExample(
        "A ticket",
        {"ticket": "EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-", "expires_at": AT},
        response_only=True,
        status_codes=["201"],
    )
]


TOKENS = (
    "A session's token, or a personal access token. `x-scope` of an operation is the scope that a personal access "
    "token needs; with `session` no personal access token is enough."
)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "players.api.token_authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002  (drf-spectacular's signature)
        return {"type": "http", "scheme": "bearer", "bearerFormat": "qx_…", "description": TOKENS}


REPORT_ID = "01926f3b-02aa-7c11-8d0f-55b0c5a1e9d4"
REPORT = [
    OpenApiExample("With a description", {"reason": "abuse", "text": "Calls me names."}, request_only=True),
    OpenApiExample("Only the reason", {"reason": "cheating"}, request_only=True),
    OpenApiExample("Created", {"id": REPORT_ID, "created_at": AT}, response_only=True, status_codes=["201"]),
]
