"""POST /games/{id}/actions and /actions/preview: one action in; what it did, or what it would do, out."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from games import clock, commands, queries, runtime
from games.api.conditional_requests import command_headers, expected_version
from games.api.play.requests import header, json_response, json_text, player_of, refuse_parameters, session_of
from games.commands import command_requests, command_views
from games.engine.engine import Engine
from games.game.decisions import play
from games.game.event_types import encode
from games.game.events import Data
from games.rules import actions
from games.timekeeping import deadlines
from players.sessions.authentication import AuthenticatedSession


async def post(request: Request, operation: str) -> Response:
    session, engine = await session_of(request, operation, "actions"), await runtime.engine()
    action, context = await _read(request, session, engine)
    done = await commands.act(engine, request.path_params["game_id"], action, context)
    return json_response(await command_views.action_view(done, context), command_headers(done))


async def preview(request: Request, operation: str) -> Response:
    """Counted as a read: a client may preview every option before it plays one."""
    session, engine = await session_of(request, operation, "reads"), await runtime.engine()
    action, context = await _read(request, session, engine, is_preview=True)
    known = await deadlines.up_to_date(engine, request.path_params["game_id"], context.player, context.now)
    context.match(known.game)
    facts, before, after = play.preview(known.game, context.player, action, known.moment(context.now))
    content = {"marks": [_fact(fact) for fact in facts], "points": {"before": before, "after": after}}
    return json_response(content, {"Cache-Control": "no-store"})


async def _read(
    request: Request, session: AuthenticatedSession, engine: Engine, *, is_preview: bool = False
) -> tuple[actions.Request, commands.CommandContext]:
    try:
        refuse_parameters(request)
        action = command_requests.action_in(await json_text(request))
        if is_preview:
            play.check_previewed(action.request)
        key, version = header(request, "idempotency-key"), expected_version(header(request, "if-match"))
        return action.request, command_requests.command_context(
            session.identity, request.scope["path"], action, key, version, clock.now()
        )
    except Exception:  # 404 comes before everything that is wrong with the body
        await queries.visible(engine, request.path_params["game_id"], player_of(session))
        raise


def _fact(fact: Any) -> Data:
    name, _, data = encode(fact)
    return {"type": name, **data}
