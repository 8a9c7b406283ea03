"""The commands before a game starts: create, join, invite, seat a bot, free a seat, leave, start."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games.commands.context import CommandContext, SeedChoice, submit
from games.engine.cache import CachedGame
from games.engine.engine import CODE_LENGTH, CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby
from games.game.decisions.draft import Draft, Moment
from games.game.events import moment_of
from games.game.views import may_look
from games.log.rows import Caller
from games.rules.refused import Refused
from players.database.ids import uuid7, uuid_of

TOLD_WITH_CODE = ("not_authenticated", "unavailable")  # refusals that say nothing about the game with the code
SEATS_HELD = timedelta(hours=24)  # in a rematch, for the players of the game before


async def create(
    engine: Engine, settings: game_settings.Settings, seed: SeedChoice, context: CommandContext
) -> CommandResult:
    game_settings.check(settings, seed.client_seed)
    context.check_rated(is_rated=settings.rated)
    done = await create_with_id(engine, uuid7(), settings, seed, context)
    if done is None:
        raise Refused("unavailable")
    return done


async def gather(
    engine: Engine,
    game_id: UUID,
    settings: game_settings.Settings,
    players: Sequence[str],
    now: datetime,
    late_seeds: Collection[str] = (),
) -> CommandResult | None:
    """Create a game of matched players; it starts once the seeds have come that some of them announced. None: the game
    exists."""

    def decide(moment: Moment) -> Draft:
        return lobby.create_with_players(str(game_id), settings, players, moment, late_seeds)

    return await engine.create(game_id, decide, now, Caller())


async def join(
    engine: Engine, game_id: UUID, code: str | None, seed: SeedChoice, context: CommandContext
) -> CommandResult:
    """A private game is found with its code, or by its players; for others it does not exist."""
    known = await engine.read(game_id)
    if may_look(known.game, context.player):
        return await join_known(engine, known, seed, context)
    if code is None or code.upper() != known.code:
        raise Refused("not_found")
    return await _join_with_code(engine, known, seed, context)


async def join_by_code(engine: Engine, code: str, seed: SeedChoice, context: CommandContext) -> CommandResult:
    """The seed and the key are checked before the code, so that their refusals do not depend on the code."""
    game_settings.check_client_seed(seed.client_seed)
    earlier = await engine.earlier(context.caller)
    if earlier is not None:
        return earlier
    game_id = await engine.by_code(code.upper()) if len(code) == CODE_LENGTH else None
    if game_id is None:
        raise Refused("not_found")
    return await _join_with_code(engine, await engine.read(game_id), seed, context)


async def _join_with_code(
    engine: Engine, known: CachedGame, seed: SeedChoice, context: CommandContext
) -> CommandResult:
    """A code of a private game that cannot be used is not found, whatever the reason: a client that tries codes must
    not learn which of them exist. Only a client that may see the game is told the reason."""
    try:
        return await join_known(engine, known, seed, context)
    except Refused as refused:
        game = (await engine.read(uuid_of(known.game.id))).game
        if refused.code in TOLD_WITH_CODE or may_look(game, context.player):
            raise
        raise Refused("not_found") from None


async def accept(engine: Engine, game_id: UUID, seed: SeedChoice, context: CommandContext) -> CommandResult:
    """Join by invitation: a private game needs no code."""
    return await join_known(engine, await engine.read(game_id), seed, context)


async def decline(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    """Decline an invitation: appends nothing, and its key is kept."""
    return await engine.submit(game_id, Draft, context.now, context.caller)


async def invite(
    engine: Engine, game_id: UUID, player: str, context: CommandContext, *, is_bot: bool = False
) -> CommandResult:
    """Check that the host may invite that player: appends nothing, and its key is kept."""

    def decide(game: GameState, host: str, moment: Moment) -> Draft:
        lobby.check_invitation(game, host, player)
        if is_bot and game.setup.rated:
            raise Refused("rated_needs_people")
        return Draft(game, moment)

    return await submit(engine, game_id, decide, context)


async def seat_bot(engine: Engine, game_id: UUID, level: str, context: CommandContext) -> CommandResult:
    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.seat_bot(game, player, level, moment)

    return await submit(engine, game_id, decide, context)


async def leave(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    return await submit(engine, game_id, lobby.leave, context)


async def start(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    return await submit(engine, game_id, lobby.start, context)


async def free_seat(engine: Engine, game_id: UUID, seat: int, context: CommandContext) -> CommandResult:
    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.free_seat(game, player, seat, moment)

    return await submit(engine, game_id, decide, context)


async def create_with_id(
    engine: Engine, game_id: UUID, settings: game_settings.Settings, seed: SeedChoice, context: CommandContext
) -> CommandResult | None:
    """Create the game under an id that was chosen before. None: the game exists."""

    def decide(moment: Moment) -> Draft:
        return lobby.create(str(game_id), settings, context.player, seed.client_seed, moment, late_seed=seed.late_seed)

    return await engine.create(game_id, decide, context.now, context.caller)


async def join_known(
    engine: Engine, known: CachedGame, seed: SeedChoice, context: CommandContext, apart: Collection[str] = ()
) -> CommandResult:
    await _check_seats_held(engine, known.game, context)

    def decide(game: GameState, moment: Moment) -> Draft:
        context.match(game)
        context.check_rated(is_rated=game.setup.rated)
        if game.participant_of(context.player) is None and other_players(game, context.player) & set(apart):
            raise Refused("not_allowed")
        return lobby.join(game, context.player, seed.client_seed, moment, late_seed=seed.late_seed)

    return await engine.submit(uuid_of(known.game.id), decide, context.now, context.caller)


async def _check_seats_held(engine: Engine, game: GameState, context: CommandContext) -> None:
    if game.setup.rematch_of is None or game.participant_of(context.player):
        return
    created = (await engine.log(uuid_of(game.id), 0, 1))[0]
    before = await engine.read(uuid_of(game.setup.rematch_of))
    if context.now < moment_of(created.at) + SEATS_HELD and before.game.participant_of(context.player) is None:
        raise Refused("not_allowed")


def other_players(game: GameState, player: str) -> set[str]:
    return {participant.player or participant.bot or "" for participant in game.participants} - {player}
