"""The hot routes, written once: Starlette serves them; Django documents them and refuses their other methods."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Protocol

from django.urls import URLPattern, path
from rest_framework.views import APIView
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from games.api.play import action_handlers, game_view, long_poll, my_games, schema_views, server_sent_events

PREFIX = "/api/v1"
# Of long pages only: views and answers to actions are small and frequent, and a stream is never compressed.
COMPRESSED = (Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5),)


class HotHandler(Protocol):
    async def __call__(self, request: Request, operation: str) -> Response: ...


class HotRoute(NamedTuple):
    """One operation; its name, such as `GET /games/{game_id}`, is the one in `players.sessions.scopes`."""

    method: str
    path: str
    handler: HotHandler
    schema_view: type[APIView]
    middleware: Sequence[Middleware] = ()

    def starlette_route(self) -> Route:
        endpoint = partial(self.handler, operation=f"{self.method} {self.path}")
        address = PREFIX + self.path.replace("{game_id}", "{game_id:uuid}")
        return Route(address, endpoint, methods=[self.method], middleware=self.middleware)

    def django_url(self) -> URLPattern:
        address = self.path.removeprefix("/").replace("{game_id}", "<uuid:game_id>")
        return path(address, self.schema_view.as_view())


HOT_ROUTES = (
    HotRoute("GET", "/games/{game_id}", game_view.get, schema_views.GameView),
    HotRoute("POST", "/games/{game_id}/actions", action_handlers.post, schema_views.ActionsView),
    HotRoute("POST", "/games/{game_id}/actions/preview", action_handlers.preview, schema_views.PreviewView),
    HotRoute("GET", "/games/{game_id}/events", long_poll.get, schema_views.EventsView, COMPRESSED),
    HotRoute("GET", "/games/{game_id}/stream", server_sent_events.get, schema_views.StreamView),
    HotRoute("GET", "/players/me/games/stream", my_games.get, schema_views.MyGamesView),
)
routes = [route.starlette_route() for route in HOT_ROUTES]
urlpatterns = [route.django_url() for route in HOT_ROUTES]
