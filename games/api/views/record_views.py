"""Views that let a player check a game: the export of its log and the proof of its dice."""

from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import queries, runtime
from games.api import examples
from games.api.current_player import client, identity
from games.api.schema import SHARE, described
from games.engine.engine import Engine
from games.game.events import Data
from games.game.json import example_game, view_schemas
from games.game.notation import document as notation
from games.live import phrases

NDJSON, NOTATION = "application/x-ndjson", "text/x-qwixx-notation"


class ExportView(APIView):
    @described(
        "exportGame",
        "Export the whole log as NDJSON, or with `Accept: text/x-qwixx-notation` as text",
        texts={NDJSON: examples.EXPORT, NOTATION: examples.NOTATION},
        parameters=(SHARE,),
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        player, share = str(identity(request).player), request.GET.get("share", "")

        async def run(engine: Engine) -> tuple[Data, list[bytes]]:
            async with engine.log_reads.turn(client(request)):
                known = await queries.visible(engine, game_id, player, share)
                return await queries.export(engine, known, player, share)

        header, events = runtime.call(run)
        if accepts_notation(request.headers.get("Accept", "")):
            return _file(
                notation.write(header, map(msgspec.json.decode, events)).encode(), NOTATION, f"{game_id}.qwixx"
            )
        return _file(b"\n".join([msgspec.json.encode(header), *events, b""]), NDJSON, f"{game_id}.ndjson")


def accepts_notation(accept: str) -> bool:
    """Whether a client names the notation; `*/*` is NDJSON.

    >>> accepts_notation("text/x-qwixx-notation; q=0.9, */*"), accepts_notation("*/*")
    (True, False)
    """
    return any(each.partition(";")[0].strip().lower() == NOTATION for each in accept.split(","))


def _file(content: bytes, media_type: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(content, media_type, headers={"Content-Disposition": disposition, "Vary": "Accept"})


class ProofView(APIView):
    @described(
        "readProof",
        "Read the seed, the entropy and every roll, once the game is over",
        view_schemas.Proof,
        parameters=(SHARE,),
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        player, share = str(identity(request).player), request.GET.get("share", "")

        async def run(engine: Engine) -> dict[str, Any]:
            async with engine.log_reads.turn(client(request)):
                return await queries.proof(engine, await queries.visible(engine, game_id, player, share))

        proof = runtime.call(run)
        language = translation.get_language() or phrases.DEFAULT
        return Response({**proof, "detail": phrases.fairness(language, proof["late_seeds"])})


class ShareLinkView(APIView):
    @described(
        "readShareLink",
        "Read a link with which any player may see this game, once it is over",
        view_schemas.ShareLink,
        answer_example={
            "share": "Zr0dXJ3mQk6yTn1vB8cF2A",
            "url": f"https://play.example.org/game/{example_game.GAME}?share=Zr0dXJ3mQk6yTn1vB8cF2A",
        },
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        player = str(identity(request).player)
        known = runtime.call(lambda engine: queries.visible(engine, game_id, player))
        share = queries.share_key(known.game, player)
        return Response({"share": share, "url": f"{settings.PUBLIC_URL}/game/{game_id}?share={share}"})
