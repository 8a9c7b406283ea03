"""What a command did, as its player may see it."""

from games import queries
from games.commands.context import CommandContext
from games.engine.engine import CommandResult
from games.game.events import Data, stamp
from games.game.views import event_views, game_view, sealed_versions, seat_of


async def command_view(done: CommandResult, context: CommandContext) -> Data:
    """The game after a command. Its time is that of the last event, so that a replay is the same byte for byte.

    A command without a key that appended nothing cannot be replayed: its time is when it came."""
    server_time = done.game.at if done.events or context.caller.key else stamp(context.now)
    seat = seat_of(done.game, context.player)
    return game_view(done.game, seat, done.code, await queries.people([done.game]), server_time)


async def action_view(done: CommandResult, context: CommandContext) -> Data:
    """What an action did, as its player may see it."""
    events = event_views(done.events, seat_of(done.game, context.player), sealed_versions(done.game))
    return {"version": done.game.version, "events": events, "game": await command_view(done, context)}
