"""The addresses of streams."""

from typing import Any

from channels.routing import URLRouter  # type: ignore[import-untyped]
from django.urls import path, re_path

from games.streams.authentication import Explain
from games.streams.consumers import LobbyConsumer, MeConsumer, Nowhere
from games.streams.game_consumer import GameConsumer


def application(explain: Explain) -> Any:
    """An ASGI application for sockets; `explain` has the words for errors."""
    return URLRouter(
        [
            path("ws/v1/games/<uuid:game_id>", GameConsumer.as_asgi(explain=explain)),
            path("ws/v1/lobby", LobbyConsumer.as_asgi(explain=explain)),
            path("ws/v1/me", MeConsumer.as_asgi(explain=explain)),
            re_path("", Nowhere.as_asgi(explain=explain)),
        ]
    )
