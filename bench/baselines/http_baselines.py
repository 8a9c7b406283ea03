"""What our HTTP requests are compared with: bare DRF views of one row, and a bare ASGI handler with an INSERT."""

import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
settings.ROOT_URLCONF = __name__
_django = get_asgi_application()

import msgspec  # noqa: E402  (Django must be set up first)
from psycopg_pool import AsyncConnectionPool  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

from games.log.models import Game, Receipt  # noqa: E402
from games.runtime import conninfo  # noqa: E402
from players.database.ids import uuid7  # noqa: E402


class SaveOneRow(APIView):
    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()

    def post(self, request: Request) -> Response:
        row = Receipt(player=uuid7(), key="k", fingerprint=b"f" * 32, game_id=uuid7(), first_version=1, last_version=1)
        row.save(force_insert=True)
        return Response({"key": row.key, "type": str(request.data)})


class ReadOneRow(APIView):
    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()

    def get(self, request: Request) -> Response:
        game = Game.objects.get(pk=request.query_params["id"])
        return Response({"id": str(game.id), "ruleset": game.ruleset, "status": game.status, "version": game.version})


urlpatterns = [path("drf", SaveOneRow.as_view()), path("drf-row", ReadOneRow.as_view())]


class BareHandler:
    """The least that a POST can do: read the body, insert a row, respond."""

    def __init__(self) -> None:
        self.pool: AsyncConnectionPool[Any] | None = None

    async def __call__(self, _scope: dict[str, Any], receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        if self.pool is None:
            self.pool = AsyncConnectionPool(
                conninfo(), min_size=1, max_size=32, open=False, kwargs={"autocommit": True}
            )
            await self.pool.open()
        async with self.pool.connection() as connection:
            await connection.execute(
                "INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)"
                " VALUES (%s, 'k', %s, %s, 1, 1)",
                (uuid7(), b"f" * 32, uuid7()),
            )
        content = msgspec.json.encode({"type": msgspec.json.decode(body)["type"]})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})


_bare = BareHandler()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await (_bare if scope["path"] == "/bare" else _django)(scope, receive, send)
