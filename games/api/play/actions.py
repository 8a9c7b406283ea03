"""POST /games/{id}/actions: one action in, what it did and the game after it out."""

from typing import Any
from uuid import UUID

from games import calls, commands, queries, runtime
from games.api.play.authentication import Visitor
from games.api.play.http import Request, Response, flag, json_response
from games.engine.engine import Engine
from games.game import play
from games.game.event_types import encode
from games.game.events import Data
from games.rules import actions
from games.timekeeping import deadlines


async def post(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    engine = await runtime.engine()
    try:
        asked = calls.action_in(await request.json_text())
        order = visitor.order(request, asked)
        is_question = flag(request.query(), "dry_run")
    except Exception:  # whatever is wrong with the body, a game that is not there says so first
        await queries.visible(engine, game_id, visitor.player)
        raise
    if is_question:
        return await _preview(engine, game_id, asked.request, order)
    done = await commands.act(engine, game_id, asked.request, order)
    return json_response(await calls.acted(done, order), calls.headers(done))


async def _preview(engine: Engine, game_id: UUID, answer: actions.Request, order: commands.CommandContext) -> Response:
    known = await deadlines.up_to_date(engine, game_id, order.player, order.now)
    order.match(known.game)
    facts, before, after = play.preview(known.game, order.player, answer, known.moment(order.now))
    told = {"marks": [_told(fact) for fact in facts], "points": {"before": before, "after": after}}
    return json_response(told, {})


def _told(fact: Any) -> Data:
    name, _, data = encode(fact)
    return {"type": name, **data}
