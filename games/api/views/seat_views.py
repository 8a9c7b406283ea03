"""Views of seats: join, leave, start, rematch, bots; each returns the game after the command."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import clock, commands, queries, runtime
from games.api import examples, request_bodies
from games.api.conditional_requests import command_headers, expected_version
from games.api.current_player import identity
from games.api.schema import COMMAND, described
from games.commands import CommandContext, command_requests, command_views
from games.engine.engine import CommandResult, Engine
from games.game.json import view_schemas
from games.rules.refused import Refused
from players.api.throttling import address_of
from players.limits import lockout
from players.social import blocks

Body = TypeVar("Body", bound=msgspec.Struct)
Result = TypeVar("Result")
Command = Callable[[Engine, CommandContext], Coroutine[Any, Any, CommandResult]]


def answered(request: Request, command: Command, status: int = 200) -> Response:
    """Run a command on the engine's loop and return the game after it, as the caller may see it."""
    context = context_of(request)

    async def run(engine: Engine) -> tuple[CommandResult, dict[str, Any]]:
        done = await command(engine, context)
        return done, await command_views.command_view(done, context)

    done, view = runtime.call(run)
    return Response(view, status, headers=command_headers(done))


def answered_with_code(request: Request, command: Command) -> Response:
    """The same for a command that uses a join code. Codes that are not found are counted per player and address."""
    player, address = str(identity(request).player), address_of(request)
    return lockout.guarded_code(player, address, clock.now(), lambda: answered(request, command), Refused)


def read(request: Request, kind: type[Body]) -> Body:
    return _after_not_found(request, lambda: request_bodies.read(request.data or {}, kind))


def context_of(request: Request) -> CommandContext:
    """The context of a command: caller, idempotency key, expected version."""
    return _after_not_found(request, lambda: _order(request))


def _order(request: Request) -> CommandContext:
    key, version = request.headers.get("Idempotency-Key"), expected_version(request.headers.get("If-Match"))
    return command_requests.command_context(
        identity(request), request.path, request.data or None, key, version, clock.now()
    )


def _after_not_found(request: Request, read: Callable[[], Result]) -> Result:
    """404 comes before everything that is wrong with a body or a header."""
    try:
        return read()
    except Exception:
        game_id, player = request.parser_context["kwargs"].get("game_id"), str(identity(request).player)
        if game_id is not None:
            runtime.call(lambda engine: queries.visible(engine, game_id, player))
        raise


class JoinView(APIView):
    @described(
        "joinGame",
        "Take the next free seat",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.JoinGame,
        example={"client_seed": "my-own-luck"},
        answer_example=examples.JOINED,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        body = read(request, request_bodies.JoinGame)
        run = answered if body.code is None else answered_with_code
        return run(request, lambda engine, context: commands.join(engine, game_id, body.code, body.seed(), context))


class JoinByCodeView(APIView):
    @described(
        "joinGameByCode",
        "Take the next free seat of the game with this code",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.JoinByCode,
        example={"code": "K7QXM2"},
        answer_example=examples.JOINED,
    )
    def post(self, request: Request) -> Response:
        body = request_bodies.read(request.data, request_bodies.JoinByCode)
        return answered_with_code(
            request, lambda engine, context: commands.join_by_code(engine, body.code, body.seed(), context)
        )


class SeedView(APIView):
    @described(
        "giveSeed",
        "Set or replace the caller's client seed before the start",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.GiveSeed,
        example={"client_seed": "J8fT0cYwQ2mXb1RkZs4v-A"},
        answer_example=examples.JOINED,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        client_seed = read(request, request_bodies.GiveSeed).client_seed
        return answered(request, lambda engine, context: commands.give_seed(engine, game_id, client_seed, context))


class BotsView(APIView):
    @described(
        "seatBot",
        "Seat a bot; only the host may do this",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.SeatBot,
        example={"level": "easy"},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        body = read(request, request_bodies.SeatBot)
        return answered(request, lambda engine, context: commands.seat_bot(engine, game_id, body.level, context))


class LeaveView(APIView):
    @described(
        "leaveGame",
        "Leave a game: free the seat before the start, resign during play",
        view_schemas.GameSchema,
        parameters=COMMAND,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        return answered(request, lambda engine, context: commands.leave(engine, game_id, context))


class StartView(APIView):
    @described(
        "startGame",
        "Start a game with two or more seats taken; only the host may do this",
        view_schemas.GameSchema,
        parameters=COMMAND,
        answer_example=examples.JOINED,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        return answered(request, lambda engine, context: commands.start(engine, game_id, context))


class RematchView(APIView):
    @described(
        "requestRematch",
        "Join the one next game of the same players",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.SeatSeed,
        example={"late_seed": True},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        seed = read(request, request_bodies.SeatSeed).seed()
        apart = [str(player) for player in blocks.blocked_either_way(identity(request).player)]
        return answered(request, lambda engine, context: commands.rematch(engine, game_id, context, apart, seed))


class SeatView(APIView):
    @described(
        "freeSeat",
        "Free a seat before the start; only the host may do this",
        view_schemas.GameSchema,
        parameters=COMMAND,
    )
    def delete(self, request: Request, game_id: UUID, seat: int) -> Response:
        return answered(request, lambda engine, context: commands.free_seat(engine, game_id, seat, context))
