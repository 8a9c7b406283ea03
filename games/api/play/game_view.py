"""GET /games/{id}: the game as its viewer may see it, now or at an earlier version."""

from starlette.requests import Request
from starlette.responses import Response

from games import clock, queries, runtime
from games.api.conditional_requests import game_headers, is_not_modified
from games.api.play.event_feed import client_of
from games.api.play.requests import header, json_response, player_of, query, session_of, version
from games.game import views
from games.game.events import stamp
from games.timekeeping import deadlines

NOT_MODIFIED = 304


async def get(request: Request, operation: str) -> Response:
    session = await session_of(request, operation, "reads")
    player = player_of(session)
    engine = await runtime.engine()
    parameters = query(request)
    share = parameters.get("share", "")
    known = await deadlines.up_to_date(engine, request.path_params["game_id"], player, clock.now(), share)
    wanted = version(parameters, "version", known.game.version)
    if wanted == known.game.version:
        game, is_whole = known.game, True
    else:
        async with engine.log_reads.turn(client_of(request, session)):
            game, is_whole = await queries.game_at(engine, known.game, wanted)
    headers = game_headers(game)
    if is_not_modified(header(request, "if-none-match"), headers["ETag"]):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    seat = views.seat_of(game, player)  # where the player sat at that version
    view = views.game_view(game, seat, known.code, await queries.people([game]), stamp(clock.now()))
    return json_response(view if is_whole else {**view, "options": []}, headers)
