"""GET /games/{id}: the game as its viewer may see it, now or at any version."""

from uuid import UUID

from games import callers, process, queries, steward
from games.events import stamp
from games.fast.door import Visitor
from games.fast.http import NOT_MODIFIED, Request, Response, json_response, on_the_wire, version
from games.views import game_view, seat_of


async def get(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    engine = await process.engine()
    known = await steward.timely(engine, game_id, visitor.player, callers.now())
    wanted = version(request.query(), "version", known.game.version)
    game, is_whole = await queries.game_at(engine, known.game, wanted)
    headers = callers.tagged(game)
    if callers.is_known(request.header(b"if-none-match"), headers["ETag"]):
        return Response(NOT_MODIFIED, on_the_wire(headers))
    seat = seat_of(game, visitor.player)  # where he sat then
    view = game_view(game, seat, known.code, await callers.people([game]), stamp(callers.now()))
    return json_response(view if is_whole else {**view, "options": []}, headers)
