"""POST /games/{id}/actions and /actions/preview: one action in; what it did, or what it would do, out."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from games import clock, commands, queries, runtime
from games.api.conditional_requests import command_headers, expected_version
from games.api.play.event_feed import client_of
from games.api.play.requests import (
    header,
    json_response,
    json_text,
    player_of,
    query,
    refuse_parameters,
    session_of,
    version,
)
from games.commands import command_requests, command_views
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.event_types import encode
from games.game.events import Data, moment_of
from games.rules import actions
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.sessions.authentication import AuthenticatedSession


async def post(request: Request, operation: str) -> Response:
    session, engine = await session_of(request, operation, "actions"), await runtime.engine()
    action, context = await _action_and_context(request, session, engine)
    done = await commands.act(engine, request.path_params["game_id"], action, context)
    return json_response(await command_views.action_view(done, context), command_headers(done))


async def preview(request: Request, operation: str) -> Response:
    """Counted as a read: a client may preview every option before it plays one."""
    session, engine = await session_of(request, operation, "reads"), await runtime.engine()
    action, context = await _action_and_context(request, session, engine, is_preview=True)
    known = await deadlines.up_to_date(engine, request.path_params["game_id"], context.player, context.now)
    context.match(known.game)
    wanted = version(query(request), "version", known.game.version)
    moment = known.moment(context.now)
    if wanted != known.game.version:
        known = known.after(await _position_at(request, session, engine, known.game, wanted))
        moment = known.moment(moment_of(known.game.at))  # its deadline had not passed then
    facts, before, after = play.preview(known.game, context.player, action, moment)
    content = {"marks": [_fact(fact) for fact in facts], "points": {"before": before, "after": after}}
    return json_response(content, {"Cache-Control": "no-store"})


async def _position_at(
    request: Request, session: AuthenticatedSession, engine: Engine, newest: GameState, wanted: int
) -> GameState:
    """The game at an earlier version; inside an append no player could act."""
    async with engine.log_reads.turn(client_of(request, session)):
        game, is_whole = await queries.game_at(engine, newest, wanted)
    if not is_whole:
        raise Refused("wrong_phase")
    return game


async def _action_and_context(
    request: Request, session: AuthenticatedSession, engine: Engine, *, is_preview: bool = False
) -> tuple[actions.Request, commands.CommandContext]:
    try:
        refuse_parameters(request, apart_from=("version",) if is_preview else ())
        version(query(request), "version", 0)
        action = command_requests.action_in(await json_text(request))
        if is_preview:
            play.check_previewed(action.request)
        key, expected = header(request, "idempotency-key"), expected_version(header(request, "if-match"))
        return action.request, command_requests.command_context(
            session.identity, request.scope["path"], action, key, expected, clock.now()
        )
    except Exception:  # 404 comes before everything that is wrong with the body
        await queries.visible(engine, request.path_params["game_id"], player_of(session))
        raise


def _fact(fact: Any) -> Data:
    name, _, data = encode(fact)
    return {"type": name, **data}
