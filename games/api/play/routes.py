"""The hot routes, written once: Starlette serves them; Django documents them and refuses their other methods."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from django.urls import path
from rest_framework.views import APIView
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from games.api.play import action_handlers, game_view, long_poll, my_games, schema_views, server_sent_events

# Of long pages only: views and answers to actions are small and frequent, and a stream is never compressed.
COMPRESSED = (Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5),)


class HotRoute(NamedTuple):
    """A route below `/api/v1/games/{game_id}`."""

    suffix: str
    method: str
    handler: Callable[[Request], Awaitable[Response]]
    schema_view: type[APIView]
    middleware: Sequence[Middleware] = ()


HOT_ROUTES = (
    HotRoute("", "GET", game_view.get, schema_views.GameView),
    HotRoute("/actions", "POST", action_handlers.post, schema_views.ActionsView),
    HotRoute("/actions/preview", "POST", action_handlers.preview, schema_views.PreviewView),
    HotRoute("/events", "GET", long_poll.get, schema_views.EventsView, COMPRESSED),
    HotRoute("/stream", "GET", server_sent_events.get, schema_views.StreamView),
)

routes = [
    Route(
        f"/api/v1/games/{{game_id:uuid}}{route.suffix}",
        route.handler,
        methods=[route.method],
        middleware=route.middleware,
    )
    for route in HOT_ROUTES
]
routes.append(Route("/api/v1/players/me/games/stream", my_games.get, methods=["GET"]))
urlpatterns = [path(f"games/<uuid:game_id>{route.suffix}", route.schema_view.as_view()) for route in HOT_ROUTES]
urlpatterns.append(path("players/me/games/stream", schema_views.MyGamesView.as_view()))
