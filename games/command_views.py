"""Shared by REST and streams: what a command did, as its player may see it, and the profiles of players in views."""

from collections.abc import Iterable

from games import clock
from games.commands import CommandContext
from games.engine.engine import CommandResult
from games.game.aggregate import GameState
from games.game.events import Data, stamp
from games.game.views import Person, event_views, game_view, sealed_versions, seat_of
from players.database.ids import uuid_of
from players.sessions.directory import directory


async def people(games: Iterable[GameState]) -> Person:
    """The public profiles of the players of these games, by player id."""
    players = [participant.player for game in games for participant in game.participants if participant.player]
    ids = [uuid_of(player) for player in players]
    profiles = await directory.profiles(ids)
    found = [profiles[each] for each in ids]
    cards = {
        player: {"id": player, "name": profile.name, "is_guest": profile.is_guest, "is_bot": profile.is_bot}
        for player, profile in zip(players, found, strict=True)
    }
    return cards.__getitem__


async def command_view(done: CommandResult, context: CommandContext) -> Data:
    """The game after a command. Its time is that of the last event, so that a replay is the same byte for byte.

    A command without a key that appended nothing cannot be replayed: its time is now."""
    server_time = done.game.at if done.events or context.caller.key else stamp(clock.now())
    seat = seat_of(done.game, context.player)
    return game_view(done.game, seat, done.code, await people([done.game]), server_time)


async def action_view(done: CommandResult, context: CommandContext) -> Data:
    """What an action did, as its player may see it."""
    events = event_views(done.events, seat_of(done.game, context.player), sealed_versions(done.game))
    return {"version": done.game.version, "events": events, "game": await command_view(done, context)}
