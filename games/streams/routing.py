"""The addresses of streams."""

from typing import Any

from channels.routing import URLRouter  # type: ignore[import-untyped]
from django.urls import path, re_path

from games.streams.consumers import LobbyConsumer, NotFoundConsumer, PlayerConsumer
from games.streams.game_consumer import GameConsumer
from games.streams.handshake import Explain


def application(explain: Explain) -> Any:
    """The ASGI application for WebSockets; `explain` describes errors in the language of a client."""
    return URLRouter(
        [
            path("ws/v1/games/<uuid:game_id>", GameConsumer.as_asgi(explain=explain)),
            path("ws/v1/lobby", LobbyConsumer.as_asgi(explain=explain)),
            path("ws/v1/me", PlayerConsumer.as_asgi(explain=explain)),
            re_path("", NotFoundConsumer.as_asgi(explain=explain)),
        ]
    )
