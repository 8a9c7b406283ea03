"""Sitting down, getting up, starting, playing again: one call each, answered with the game after it."""

from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import callers, commands, process
from games.api import bodies
from games.api.asking import identity
from games.commands import Order
from games.engine import Done, Engine

Command = Callable[[Engine, Order], Coroutine[Any, Any, Done]]


def answered(request: Request, command: Command, status: int = 200) -> Response:
    """Run a command on the engine's loop and answer with the game as the caller may see it then."""
    headers = request.headers
    order = callers.order(
        identity(request), request.path, request.data or None, headers.get("Idempotency-Key"), headers.get("If-Match")
    )

    async def run(engine: Engine) -> tuple[Done, dict[str, Any]]:
        done = await command(engine, order)
        return done, await callers.view(done, order.player)

    done, view = process.call(run)
    return Response(view, status, headers=callers.headers(done))


class JoinView(APIView):
    def post(self, request: Request, game_id: UUID) -> Response:
        body = bodies.read(request.data or {}, bodies.JoinGame)
        return answered(
            request, lambda engine, order: commands.join(engine, game_id, body.code, body.client_seed, order)
        )


class JoinByCodeView(APIView):
    def post(self, request: Request) -> Response:
        body = bodies.read(request.data, bodies.JoinByCode)
        return answered(
            request, lambda engine, order: commands.join_by_code(engine, body.code, body.client_seed, order)
        )


class BotsView(APIView):
    def post(self, request: Request, game_id: UUID) -> Response:
        bodies.read(request.data, bodies.SeatBot)
        return answered(request, lambda engine, order: commands.seat_bot(engine, game_id, order))


class LeaveView(APIView):
    def post(self, request: Request, game_id: UUID) -> Response:
        return answered(request, lambda engine, order: commands.leave(engine, game_id, order))


class StartView(APIView):
    def post(self, request: Request, game_id: UUID) -> Response:
        return answered(request, lambda engine, order: commands.start(engine, game_id, order))


class RematchView(APIView):
    def post(self, request: Request, game_id: UUID) -> Response:
        return answered(request, lambda engine, order: commands.rematch(engine, game_id, order))


class SeatView(APIView):
    def delete(self, request: Request, game_id: UUID, seat: int) -> Response:
        return answered(request, lambda engine, order: commands.free_seat(engine, game_id, seat, order))
