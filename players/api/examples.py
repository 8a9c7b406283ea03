"""Examples for the API's document, and how it names the token; nothing here is served otherwise."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample

ANN = {"id": "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57", "name": "Ann", "is_guest": True, "is_bot": False}
AT = "2026-01-02T03:04:05.678901Z"

GUEST = [
    OpenApiExample("Install to play", {"name": "Ann", "device": "Ann's phone"}, request_only=True),
    OpenApiExample("Nothing needed", {}, request_only=True),
    OpenApiExample(
        "Ann",
        {"player": ANN, "token": "qx_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA"},
        response_only=True,
        status_codes=["201"],
    ),
]
PLAYER = [OpenApiExample("Ann", ANN, response_only=True)]
ME = [
    OpenApiExample(
        "Ann, a guest", {**ANN, "locale": "de", "email": None, "created_at": AT, "games_waiting": 2}, response_only=True
    )
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


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "players.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002  (spectacular's signature)
        return {"type": "http", "scheme": "bearer", "bearerFormat": "qx_…", "description": "A session's token."}
