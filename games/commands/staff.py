"""The commands of staff, who need neither a seat nor the right to see the game."""

from uuid import UUID

from games.commands.context import CommandContext, DecideFor
from games.engine.engine import CommandResult, Engine
from games.game.decisions import interventions


async def pause(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, interventions.pause, reason, context)


async def resume(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, interventions.resume, reason, context)


async def abort(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, interventions.abort, reason, context)


async def void(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, interventions.void, reason, context)


async def _by_staff(
    engine: Engine, game_id: UUID, decide: DecideFor, reason: str, context: CommandContext
) -> CommandResult:
    return await engine.submit(game_id, lambda game, moment: decide(game, reason, moment), context.now, context.caller)
