"""The commands of a player in a game: an action, a client seed, a phrase."""

from uuid import UUID

from games.commands.context import CommandContext, submit
from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import lobby, play
from games.game.decisions.draft import Draft, Moment
from games.rules.actions import Request
from games.rules.refused import Refused


async def act(engine: Engine, game_id: UUID, request: Request, context: CommandContext) -> CommandResult:
    """Play one action: `play.act` of games.game decides it, on the newest state of the game."""
    return await submit(engine, game_id, lambda game, player, moment: play.act(game, player, request, moment), context)


async def give_seed(engine: Engine, game_id: UUID, client_seed: str, context: CommandContext) -> CommandResult:
    """Set or replace the player's client seed before the start."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.give_seed(game, player, client_seed, moment)

    return await submit(engine, game_id, decide, context)


async def speak(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    """Check that the player may send a phrase: appends nothing, and its key is kept so that no phrase is sent twice."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        return Draft(game, moment)

    return await submit(engine, game_id, decide, context)
