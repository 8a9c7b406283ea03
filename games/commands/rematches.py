"""The rematch command: creates the one next game, or joins it."""

from collections.abc import Collection
from uuid import UUID

from games import queries
from games.commands.context import NO_SEED, CommandContext, SeedChoice, submit
from games.commands.seats import create_with_id, join_known, other_players
from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, play
from games.game.decisions.draft import Draft, Moment
from games.rules.refused import Refused
from players.database.ids import uuid7, uuid_of


async def rematch(
    engine: Engine, game_id: UUID, context: CommandContext, apart: Collection[str] = (), seed: SeedChoice = NO_SEED
) -> CommandResult:
    """Create the one next game, or join it, unless a player of `apart` sits in it."""
    earlier = await engine.earlier(context.caller)
    if earlier is not None:
        return earlier
    keyless = context._replace(caller=context.caller._replace(key=None))
    aborted = await _aborted_before_start(
        engine, (await queries.visible(engine, game_id, context.player)).game.next_game
    )

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        draft = play.rematch(game, str(uuid7()), moment, aborted)
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        if apart and not other_players(game, player) - set(apart):
            raise Refused("not_allowed")
        return draft

    before = (await submit(engine, game_id, decide, keyless)).game
    next_id, context = uuid_of(before.next_game), context._replace(if_match=None)
    done = await create_with_id(engine, next_id, _same_settings(before), seed, context)
    return done or await _join_rematch(engine, next_id, seed, context, apart)


async def _aborted_before_start(engine: Engine, next_game: str | None) -> str | None:
    """The next game, if it was aborted before its start: its creator left it empty."""
    if next_game is None:
        return None
    try:
        game = (await engine.read(uuid_of(next_game))).game
    except Refused:  # announced, and about to be created
        return None
    return next_game if game.is_over and game.position is None else None


async def _join_rematch(
    engine: Engine, game_id: UUID, seed: SeedChoice, context: CommandContext, apart: Collection[str]
) -> CommandResult:
    """A player who repeats the request already has a seat, even if the game is in progress or over: this appends
    nothing, and the key is kept."""
    known = await engine.read(game_id)
    if known.game.participant_of(context.player) is None:
        try:
            return await join_known(engine, known, seed, context, apart)
        except Refused as refused:
            if refused.code != "already_seated":
                raise
    return await engine.submit(game_id, Draft, context.now, context.caller)


def _same_settings(game: GameState) -> game_settings.Settings:
    setup = game.setup
    bots = [participant.bot for participant in game.participants if participant.bot]
    seats = setup.seats if game.position is None else len(game.participants)
    clock = setup.clock._asdict() if setup.clock else None
    is_rated = setup.rated and not bots  # older games could be both
    return game_settings.Settings(setup.ruleset, setup.sheet, seats, setup.visibility, is_rated, clock, bots, game.id)
