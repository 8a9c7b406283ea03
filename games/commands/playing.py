"""The commands of a player in a game: an action, a client seed, a phrase."""

from uuid import UUID

from games.commands.context import CommandContext, DecideFor, submit_visible
from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import lobby, play
from games.game.decisions.draft import Draft, Moment
from games.game.events import stamp
from games.rules.actions import Request
from games.rules.refused import Refused
from games.timekeeping import deadlines


async def act(engine: Engine, game_id: UUID, request: Request, context: CommandContext) -> CommandResult:
    """Play one action: the engine decides it with `play.act`, on the newest state of the game."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return play.act(game, player, request, moment)

    return await _submit_in_time(engine, game_id, decide, context)


async def give_seed(engine: Engine, game_id: UUID, client_seed: str, context: CommandContext) -> CommandResult:
    """Set or replace the player's client seed before the start."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.give_seed(game, player, client_seed, moment)

    return await _submit_in_time(engine, game_id, decide, context)


async def speak(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    """Check that the player may send a phrase: appends nothing, and its key is kept so that no phrase is sent twice."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        return Draft(game, moment)

    return await submit_visible(engine, game_id, decide, context)


async def _submit_in_time(engine: Engine, game_id: UUID, decide: DecideFor, context: CommandContext) -> CommandResult:
    """A refusal as too late is decided again after outages have been credited to the deadline."""
    answered = None

    def decide_if_visible(game: GameState, moment: Moment) -> Draft:
        nonlocal answered
        context.check(game)
        answered = game.position
        return decide(game, context.player, moment)

    try:
        return await engine.submit(game_id, decide_if_visible, context.now, context.caller)
    except Refused as refused:
        if refused.code != "too_late":
            raise
        game = (await deadlines.expire(engine, game_id, context.now)).game
        if game.position != answered or play.is_due(game, stamp(context.now)):
            raise
    return await engine.submit(game_id, decide_if_visible, context.now, context.caller)
