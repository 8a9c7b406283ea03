"""Views that let a player check a game: the export of its log and the proof of its dice."""

from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import queries, runtime
from games.api.current_player import identity
from games.api.schema import described
from games.engine.engine import Engine
from games.game import view_schemas


class ExportView(APIView):
    @described("exportGame", "The whole log, one JSON document a line", media_type="application/x-ndjson")
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        player = str(identity(request).player)

        async def run(engine: Engine) -> list[Any]:
            return await queries.export(engine, await queries.visible(engine, game_id, player), player)

        lines = b"".join(msgspec.json.encode(line) + b"\n" for line in runtime.call(run))
        disposition = f'attachment; filename="{game_id}.ndjson"'
        return HttpResponse(lines, "application/x-ndjson", headers={"Content-Disposition": disposition})


class ProofView(APIView):
    @described("proveDice", "Seed, entropy and every roll, once the game is over", view_schemas.Proof)
    def get(self, request: Request, game_id: UUID) -> Response:
        async def run(engine: Engine) -> dict[str, Any]:
            return await queries.proof(engine, await queries.visible(engine, game_id, str(identity(request).player)))

        return Response(runtime.call(run))
