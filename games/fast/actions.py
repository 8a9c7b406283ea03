"""POST /games/{id}/actions: one action in, what it did and the game after it out."""

from typing import Any
from uuid import UUID

from games import callers, commands, play, process, queries, steward
from games.engine import Engine
from games.events import Data
from games.facts import encode
from games.fast.door import Visitor
from games.fast.http import Request, Response, flag, json_response
from games.rules import actions


async def post(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    engine = await process.engine()
    try:
        asked = callers.action_in(await request.json_text())
        order = visitor.order(request, asked)
        is_question = flag(request.query(), "dry_run")
    except Exception:  # whatever is wrong with the body, a game that is not there says so first
        await queries.visible(engine, game_id, visitor.player)
        raise
    if is_question:
        return await _preview(engine, game_id, asked.request, order)
    done = await commands.act(engine, game_id, asked.request, order)
    return json_response(await callers.acted(done, order), callers.headers(done))


async def _preview(engine: Engine, game_id: UUID, answer: actions.Request, order: commands.Order) -> Response:
    known = await steward.timely(engine, game_id, order.player, order.now)
    order.match(known.game)
    facts, before, after = play.preview(known.game, order.player, answer, known.moment(order.now))
    told = {"marks": [_told(fact) for fact in facts], "points": {"before": before, "after": after}}
    return json_response(told, {})


def _told(fact: Any) -> Data:
    name, _, data = encode(fact)
    return {"type": name, **data}
