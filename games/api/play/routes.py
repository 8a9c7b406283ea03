"""The hot routes, served by Starlette; Django serves all others, and other methods of these."""

from starlette.routing import Route

from games.api.play import actions, game_view, long_poll, server_sent_events

GAME = "/api/v1/games/{game_id:uuid}"

routes = [
    Route(f"{GAME}/actions", actions.post, methods=["POST"]),
    Route(GAME, game_view.get),
    Route(f"{GAME}/events", long_poll.get),
    Route(f"{GAME}/stream", server_sent_events.get),
]
