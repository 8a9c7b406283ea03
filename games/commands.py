"""The use cases that change games: one function each, one append each."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games import queries
from games.engine.cache import CachedGame
from games.engine.engine import CODE_LENGTH, CommandResult, Engine
from games.game import lobby, play
from games.game.aggregate import GameState
from games.game.draft import Draft, Moment
from games.game.events import moment_of, stamp
from games.game.values import Value
from games.game.views import may_look
from games.log.rows import Caller
from games.rules.actions import Request
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.database.ids import text_of, uuid7, uuid_of

DecideFor = Callable[[GameState, str, Moment], Draft]  # the game, the player or the reason of staff, and the moment

TOLD_WITH_CODE = ("not_authenticated", "unavailable")  # refusals that say nothing about the game with the code
SEATS_HELD = timedelta(hours=24)  # in a rematch, for the players of the game before


class SeedChoice(Value, frozen=True):
    """What a player says of their client seed when they take a seat: the seed, and whether another will follow."""

    client_seed: str | None = None
    late_seed: bool = False


NO_SEED = SeedChoice()


class CommandContext(Value, frozen=True):
    """The caller of a command, its time, and the version that the caller expects, if any."""

    caller: Caller
    now: datetime
    if_match: int | None = None
    is_bot: bool = False  # the caller is a bot account

    @property
    def player(self) -> str:
        return text_of(self.caller.player) if self.caller.player else "None"

    def check_rated(self, *, is_rated: bool) -> None:
        """Rated games are between people (contract, section 11)."""
        if is_rated and self.is_bot:
            raise Refused("rated_needs_people")

    def match(self, game: GameState) -> None:
        if self.if_match is not None and self.if_match != game.version:
            raise Refused("version_mismatch")

    def check(self, game: GameState) -> None:
        """For a player who may not see the game, it does not exist."""
        if not may_look(game, self.player):
            raise Refused("not_found")
        self.match(game)


async def create(engine: Engine, settings: lobby.Settings, seed: SeedChoice, context: CommandContext) -> CommandResult:
    lobby.check(settings, seed.client_seed)
    context.check_rated(is_rated=settings.rated)
    done = await _create(engine, uuid7(), settings, seed, context)
    if done is None:
        raise Refused("unavailable")
    return done


async def gather(
    engine: Engine,
    game_id: UUID,
    settings: lobby.Settings,
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
        return await _join(engine, known, seed, context)
    if code is None or code.upper() != known.code:
        raise Refused("not_found")
    return await _join_with_code(engine, known, seed, context)


async def join_by_code(engine: Engine, code: str, seed: SeedChoice, context: CommandContext) -> CommandResult:
    """The seed and the key are checked before the code, so that their refusals do not depend on the code."""
    lobby.check_client_seed(seed.client_seed)
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
    """A code that cannot be used is not found, whatever the reason: a client that tries codes must not learn which of
    them exist. Only a player of the game is told the reason."""
    try:
        return await _join(engine, known, seed, context)
    except Refused as refused:
        game = (await engine.read(uuid_of(known.game.id))).game
        if refused.code in TOLD_WITH_CODE or game.participant_of(context.player) is not None:
            raise
        raise Refused("not_found") from None


async def accept(engine: Engine, game_id: UUID, seed: SeedChoice, context: CommandContext) -> CommandResult:
    """Join by invitation: a private game needs no code."""
    return await _join(engine, await engine.read(game_id), seed, context)


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

    return await _submit(engine, game_id, decide, context)


async def speak(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    """Check that the player may send a phrase: appends nothing, and its key is kept so that no phrase is sent twice."""

    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        return Draft(game, moment)

    return await _submit(engine, game_id, decide, context)


async def seat_bot(engine: Engine, game_id: UUID, level: str, context: CommandContext) -> CommandResult:
    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.seat_bot(game, player, level, moment)

    return await _submit(engine, game_id, decide, context)


async def leave(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    return await _submit(engine, game_id, lobby.leave, context)


async def start(engine: Engine, game_id: UUID, context: CommandContext) -> CommandResult:
    return await _submit(engine, game_id, lobby.start, context)


async def free_seat(engine: Engine, game_id: UUID, seat: int, context: CommandContext) -> CommandResult:
    def decide(game: GameState, player: str, moment: Moment) -> Draft:
        return lobby.free_seat(game, player, seat, moment)

    return await _submit(engine, game_id, decide, context)


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
        if apart and not _others(game, player) - set(apart):
            raise Refused("not_allowed")
        return draft

    before = (await _submit(engine, game_id, decide, keyless)).game
    next_id, context = uuid_of(before.next_game), context._replace(if_match=None)
    done = await _create(engine, next_id, _same_settings(before), seed, context)
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


def _others(game: GameState, player: str) -> set[str]:
    return {participant.player or participant.bot or "" for participant in game.participants} - {player}


async def _join_rematch(
    engine: Engine, game_id: UUID, seed: SeedChoice, context: CommandContext, apart: Collection[str]
) -> CommandResult:
    """A player who repeats the request already has a seat, even if the game is in progress or over: this appends
    nothing, and the key is kept."""
    known = await engine.read(game_id)
    if known.game.participant_of(context.player) is None:
        try:
            return await _join(engine, known, seed, context, apart)
        except Refused as refused:
            if refused.code != "already_seated":
                raise
    return await engine.submit(game_id, Draft, context.now, context.caller)


def _same_settings(game: GameState) -> lobby.Settings:
    setup = game.setup
    bots = [participant.bot for participant in game.participants if participant.bot]
    seats = setup.seats if game.position is None else len(game.participants)
    clock = setup.clock._asdict() if setup.clock else None
    is_rated = setup.rated and not bots  # older games could be both
    return lobby.Settings(setup.ruleset, setup.sheet, seats, setup.visibility, is_rated, clock, bots, game.id)


async def _create(
    engine: Engine, game_id: UUID, settings: lobby.Settings, seed: SeedChoice, context: CommandContext
) -> CommandResult | None:
    """None: the game exists."""

    def decide(moment: Moment) -> Draft:
        return lobby.create(str(game_id), settings, context.player, seed.client_seed, moment, late_seed=seed.late_seed)

    return await engine.create(game_id, decide, context.now, context.caller)


async def _join(
    engine: Engine, known: CachedGame, seed: SeedChoice, context: CommandContext, apart: Collection[str] = ()
) -> CommandResult:
    await _check_seats_held(engine, known.game, context)

    def decide(game: GameState, moment: Moment) -> Draft:
        context.match(game)
        context.check_rated(is_rated=game.setup.rated)
        if game.participant_of(context.player) is None and _others(game, context.player) & set(apart):
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


async def _submit(engine: Engine, game_id: UUID, decide: DecideFor, context: CommandContext) -> CommandResult:
    def decide_if_visible(game: GameState, moment: Moment) -> Draft:
        context.check(game)
        return decide(game, context.player, moment)

    return await engine.submit(game_id, decide_if_visible, context.now, context.caller)


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


async def pause(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    """By staff, as the next three: they need no seat, and no right to see the game."""
    return await _by_staff(engine, game_id, play.pause, reason, context)


async def resume(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.resume, reason, context)


async def abort(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.abort, reason, context)


async def void(engine: Engine, game_id: UUID, reason: str, context: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.void, reason, context)


async def _by_staff(
    engine: Engine, game_id: UUID, decide: DecideFor, reason: str, context: CommandContext
) -> CommandResult:
    return await engine.submit(game_id, lambda game, moment: decide(game, reason, moment), context.now, context.caller)
