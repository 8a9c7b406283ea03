"""GET /games/{id}: the game as its viewer may see it, now or at any version."""

from uuid import UUID

from games import calls, queries, runtime
from games.api.play.authentication import Visitor
from games.api.play.http import NOT_MODIFIED, Request, Response, json_response, on_the_wire, version
from games.game.events import stamp
from games.game.views import game_view, seat_of
from games.timekeeping import deadlines


async def get(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    engine = await runtime.engine()
    known = await deadlines.up_to_date(engine, game_id, visitor.player, calls.now())
    wanted = version(request.query(), "version", known.game.version)
    game, is_whole = await queries.game_at(engine, known.game, wanted)
    headers = calls.tagged(game)
    if calls.is_known(request.header(b"if-none-match"), headers["ETag"]):
        return Response(NOT_MODIFIED, on_the_wire(headers))
    seat = seat_of(game, visitor.player)  # where he sat then
    view = game_view(game, seat, known.code, await calls.people([game]), stamp(calls.now()))
    return json_response(view if is_whole else {**view, "options": []}, headers)
