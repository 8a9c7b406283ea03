"""POST /games/{id}/actions: one action in, its events and the game after it out."""

from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from games import calls, commands, queries, runtime
from games.api.conditional_requests import command_headers, expected_version
from games.api.play.requests import flag, header, json_response, json_text, player_of, query, session_of
from games.engine.engine import Engine
from games.game import play
from games.game.event_types import encode
from games.game.events import Data
from games.rules import actions
from games.timekeeping import deadlines


async def post(request: Request) -> Response:
    session, game_id = await session_of(request, "actions"), request.path_params["game_id"]
    engine = await runtime.engine()
    try:
        action = calls.action_in(await json_text(request))
        key, version = header(request, "idempotency-key"), expected_version(header(request, "if-match"))
        context = calls.command_context(session.identity, request.scope["path"], action, key, version)
        is_preview = flag(query(request), "dry_run")
    except Exception:  # 404 comes before everything that is wrong with the body
        await queries.visible(engine, game_id, player_of(session))
        raise
    if is_preview:
        return await _preview(engine, game_id, action.request, context)
    done = await commands.act(engine, game_id, action.request, context)
    return json_response(await calls.action_view(done, context), command_headers(done))


async def _preview(
    engine: Engine, game_id: UUID, action: actions.Request, context: commands.CommandContext
) -> Response:
    known = await deadlines.up_to_date(engine, game_id, context.player, context.now)
    context.match(known.game)
    facts, before, after = play.preview(known.game, context.player, action, known.moment(context.now))
    return json_response({"marks": [_fact(fact) for fact in facts], "points": {"before": before, "after": after}}, {})


def _fact(fact: Any) -> Data:
    name, _, data = encode(fact)
    return {"type": name, **data}
