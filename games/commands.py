"""The use cases that change games: one function each, one append each."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games import queries
from games.engine.cache import CachedGame
from games.engine.engine import CODE_LENGTH, CommandResult, Decide, Engine
from games.game import lobby, play
from games.game.aggregate import Game
from games.game.draft import Draft, Moment
from games.game.events import moment_of, stamp
from games.game.values import Value
from games.game.views import may_look
from games.log.rows import Caller
from games.rules.actions import Request
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.database.ids import text_of, uuid7, uuid_of

DecideFor = Callable[[Game, str, Moment], Draft]  # the game, the player, and the moment

TOLD_WITH_CODE = ("not_authenticated", "unavailable")  # refusals that say nothing about the game with the code
SEATS_HELD = timedelta(hours=24)  # in a rematch, for the players of the game before


class CommandContext(Value, frozen=True):
    """The caller of a command, its time, and the version that the caller expects, if any."""

    caller: Caller
    now: datetime
    if_match: int | None = None

    @property
    def player(self) -> str:
        return text_of(self.caller.player) if self.caller.player else "None"

    def match(self, game: Game) -> None:
        if self.if_match is not None and self.if_match != game.version:
            raise Refused("version_mismatch")


async def create(
    engine: Engine, settings: lobby.Settings, client_seed: str | None, order: CommandContext
) -> CommandResult:
    lobby.check(settings, client_seed)
    done = await _create(engine, uuid7(), settings, client_seed, order)
    if done is None:
        raise Refused("unavailable")
    return done


async def gather(
    engine: Engine, game_id: UUID, settings: lobby.Settings, players: Sequence[str], now: datetime
) -> CommandResult | None:
    """Create and start a game of matched players. None: the game exists."""

    def decide(moment: Moment) -> Draft:
        return lobby.create_with_players(str(game_id), settings, players, moment)

    return await engine.create(game_id, decide, now, Caller())


async def join(
    engine: Engine, game_id: UUID, code: str | None, client_seed: str | None, order: CommandContext
) -> CommandResult:
    """A private game is found with its code, or by its players; for others it does not exist."""
    known = await engine.read(game_id)
    if may_look(known.game, order.player):
        return await _join(engine, known, client_seed, order)
    if code is None or code.upper() != known.code:
        raise Refused("not_found")
    return await _join_with_code(engine, known, client_seed, order)


async def join_by_code(engine: Engine, code: str, client_seed: str | None, order: CommandContext) -> CommandResult:
    """The seed and the key are checked before the code, so that their refusals do not depend on the code."""
    lobby.check_client_seed(client_seed)
    earlier = await engine.earlier(order.caller)
    if earlier is not None:
        return earlier
    game_id = await engine.by_code(code.upper()) if len(code) == CODE_LENGTH else None
    if game_id is None:
        raise Refused("not_found")
    return await _join_with_code(engine, await engine.read(game_id), client_seed, order)


async def _join_with_code(
    engine: Engine, known: CachedGame, client_seed: str | None, order: CommandContext
) -> CommandResult:
    """A code that cannot be used is not found, whatever the reason: a client that tries codes must not learn which of
    them exist. Only a player of the game is told the reason."""
    try:
        return await _join(engine, known, client_seed, order)
    except Refused as refused:
        game = (await engine.read(uuid_of(known.game.id))).game
        if refused.code in TOLD_WITH_CODE or game.participant_of(order.player) is not None:
            raise
        raise Refused("not_found") from None


async def accept(engine: Engine, game_id: UUID, order: CommandContext) -> CommandResult:
    """Join by invitation: a private game needs no code."""
    return await _join(engine, await engine.read(game_id), None, order)


async def decline(engine: Engine, game_id: UUID, order: CommandContext) -> CommandResult:
    """Decline an invitation: appends nothing, and its key is kept."""
    return await engine.submit(game_id, Draft, order.now, order.caller)


async def invite(engine: Engine, game_id: UUID, player: str, order: CommandContext) -> CommandResult:
    """Check that the host may invite that player: appends nothing, and its key is kept."""

    def decide(game: Game, host: str, moment: Moment) -> Draft:
        lobby.check_invitation(game, host, player)
        return Draft(game, moment)

    return await _submit(engine, game_id, decide, order)


async def speak(engine: Engine, game_id: UUID, order: CommandContext) -> CommandResult:
    """Check that the player may send a phrase: appends nothing, and its key is kept so that no phrase is sent twice."""

    def decide(game: Game, player: str, moment: Moment) -> Draft:
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        return Draft(game, moment)

    return await _submit(engine, game_id, decide, order)


async def seat_bot(engine: Engine, game_id: UUID, level: str, order: CommandContext) -> CommandResult:
    def decide(game: Game, player: str, moment: Moment) -> Draft:
        return lobby.seat_bot(game, player, level, moment)

    return await _submit(engine, game_id, decide, order)


async def leave(engine: Engine, game_id: UUID, order: CommandContext) -> CommandResult:
    return await _submit(engine, game_id, lobby.leave, order)


async def start(engine: Engine, game_id: UUID, order: CommandContext) -> CommandResult:
    return await _submit(engine, game_id, lobby.start, order)


async def free_seat(engine: Engine, game_id: UUID, seat: int, order: CommandContext) -> CommandResult:
    def decide(game: Game, player: str, moment: Moment) -> Draft:
        return lobby.free_seat(game, player, seat, moment)

    return await _submit(engine, game_id, decide, order)


async def act(engine: Engine, game_id: UUID, request: Request, order: CommandContext) -> CommandResult:
    """Play one action. One that is too late may be in time after all, when an outage still has to be credited."""
    answered = None

    def decide(game: Game, player: str, moment: Moment) -> Draft:
        nonlocal answered
        answered = game.position
        return play.act(game, player, request, moment)

    try:
        return await _submit(engine, game_id, decide, order)
    except Refused as refused:
        if refused.code != "too_late":
            raise
        game = (await deadlines.expire(engine, game_id, order.now)).game
        if game.position != answered or play.is_due(game, stamp(order.now)):
            raise
    return await _submit(engine, game_id, decide, order)


async def rematch(engine: Engine, game_id: UUID, order: CommandContext, apart: Collection[str] = ()) -> CommandResult:
    """Create the one next game, or join it, unless a player of `apart` sits in it."""
    earlier = await engine.earlier(order.caller)
    if earlier is not None:
        return earlier
    keyless = order._replace(caller=order.caller._replace(key=None))
    aborted = await _aborted_before_start(engine, (await queries.visible(engine, game_id, order.player)).game.next_game)

    def decide(game: Game, player: str, moment: Moment) -> Draft:
        draft = play.rematch(game, str(uuid7()), moment, aborted)
        if game.participant_of(player) is None:
            raise Refused("not_seated")
        if apart and not _others(game, player) - set(apart):
            raise Refused("not_allowed")
        return draft

    before = (await _submit(engine, game_id, decide, keyless)).game
    next_id, order = uuid_of(before.next_game), order._replace(if_match=None)
    done = await _create(engine, next_id, _same_settings(before), None, order)
    return done or await _join_rematch(engine, next_id, order, apart)


async def _aborted_before_start(engine: Engine, next_game: str | None) -> str | None:
    """The next game, if it was aborted before its start: its creator left it empty."""
    if next_game is None:
        return None
    try:
        game = (await engine.read(uuid_of(next_game))).game
    except Refused:  # announced, and about to be created
        return None
    return next_game if game.is_over and game.position is None else None


def _others(game: Game, player: str) -> set[str]:
    return {participant.player or participant.bot or "" for participant in game.participants} - {player}


async def _join_rematch(engine: Engine, game_id: UUID, order: CommandContext, apart: Collection[str]) -> CommandResult:
    """A player who asks twice has a seat already, even if the game is in progress or over."""
    known = await engine.read(game_id)
    if known.game.participant_of(order.player) is not None:
        return CommandResult(known.game, known.code)
    try:
        return await _join(engine, known, None, order, apart)
    except Refused as refused:
        if refused.code != "already_seated":
            raise
    return CommandResult(known.game, known.code)


def _same_settings(game: Game) -> lobby.Settings:
    setup = game.setup
    bots = [participant.bot for participant in game.participants if participant.bot]
    seats = setup.seats if game.position is None else len(game.participants)
    clock = setup.clock._asdict() if setup.clock else None
    return lobby.Settings(setup.ruleset, setup.sheet, seats, setup.visibility, setup.rated, clock, bots, game.id)


async def _create(
    engine: Engine, game_id: UUID, settings: lobby.Settings, client_seed: str | None, order: CommandContext
) -> CommandResult | None:
    """None: the game exists."""

    def decide(moment: Moment) -> Draft:
        return lobby.create(str(game_id), settings, order.player, client_seed, moment)

    return await engine.create(game_id, decide, order.now, order.caller)


async def _join(
    engine: Engine, known: CachedGame, client_seed: str | None, order: CommandContext, apart: Collection[str] = ()
) -> CommandResult:
    await _check_seats_held(engine, known.game, order)

    def decide(game: Game, moment: Moment) -> Draft:
        order.match(game)
        if game.participant_of(order.player) is None and _others(game, order.player) & set(apart):
            raise Refused("not_allowed")
        return lobby.join(game, order.player, client_seed, moment)

    return await engine.submit(uuid_of(known.game.id), decide, order.now, order.caller)


async def _check_seats_held(engine: Engine, game: Game, order: CommandContext) -> None:
    if game.setup.rematch_of is None or game.participant_of(order.player):
        return
    created = (await engine.log(uuid_of(game.id), 0, 1))[0]
    before = await engine.read(uuid_of(game.setup.rematch_of))
    if order.now < moment_of(created.at) + SEATS_HELD and before.game.participant_of(order.player) is None:
        raise Refused("not_allowed")


async def _submit(engine: Engine, game_id: UUID, decide: DecideFor, order: CommandContext) -> CommandResult:
    return await engine.submit(game_id, _if_visible(decide, order), order.now, order.caller)


def _if_visible(decide: DecideFor, order: CommandContext) -> Decide:
    """For a player who may not see the game, it does not exist."""
    player = order.player

    def decide_if_visible(game: Game, moment: Moment) -> Draft:
        if not may_look(game, player):
            raise Refused("not_found")
        order.match(game)
        return decide(game, player, moment)

    return decide_if_visible


async def pause(engine: Engine, game_id: UUID, reason: str, order: CommandContext) -> CommandResult:
    """By staff, as the next three: they need no seat, and no right to see the game."""
    return await _by_staff(engine, game_id, play.pause, reason, order)


async def resume(engine: Engine, game_id: UUID, reason: str, order: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.resume, reason, order)


async def abort(engine: Engine, game_id: UUID, reason: str, order: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.abort, reason, order)


async def void(engine: Engine, game_id: UUID, reason: str, order: CommandContext) -> CommandResult:
    return await _by_staff(engine, game_id, play.void, reason, order)


async def _by_staff(
    engine: Engine, game_id: UUID, decide: Callable[[Game, str, Moment], Draft], reason: str, order: CommandContext
) -> CommandResult:
    return await engine.submit(game_id, lambda game, moment: decide(game, reason, moment), order.now, order.caller)
