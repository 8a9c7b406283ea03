"""Commands that the service itself gives as time passes: deadlines, credited outages, bots, abandoned games."""

from datetime import datetime
from hashlib import sha256
from time import perf_counter
from uuid import UUID

from games import queries
from games.engine.cache import CachedGame
from games.engine.engine import CommandResult, Engine
from games.game.aggregate import OPEN, GameState
from games.game.decisions import expiry, interventions, play
from games.game.decisions.draft import Draft, Moment
from games.game.events import moment_of, stamp
from games.log.rows import Caller
from games.metrics import shared_counters
from games.rules.actions import Request
from games.rules.refused import Refused


async def act_for_bot(engine: Engine, game_id: UUID, seat: int, request: Request, now: datetime) -> CommandResult:
    """The answer of a bot: once per game, roll, phase and seat."""

    def decide(game: GameState, moment: Moment) -> Draft:
        return play.act_for_bot(game, seat, request, moment)

    caller = _service_caller(f"bot {game_id} {request.roll} {request.phase} {seat}")
    return await engine.submit(game_id, decide, now, caller)


async def expire(engine: Engine, game_id: UUID, now: datetime) -> CommandResult:
    """Credit outages, then enforce the deadline if it has passed all the same."""
    known = await engine.read(game_id)
    for _ in range(2):  # the credited deadline may have passed, too
        if known.game.deadline is None or not await is_overdue(engine, known.game, now):
            break
        await enforce(engine, game_id, known.game.deadline, now)
        known = await engine.read(game_id)
    return CommandResult(known.game, known.code)


async def up_to_date(engine: Engine, game_id: UUID, player: str, now: datetime, share: str = "") -> CachedGame:
    """The game for a player who reads it, after outages are credited and its deadline is enforced."""
    known = await queries.visible(engine, game_id, player, share)
    if await is_overdue(engine, known.game, now):
        await expire(engine, game_id, now)
        return await queries.visible(engine, game_id, player)
    return known


async def is_overdue(engine: Engine, game: GameState, now: datetime) -> bool:
    """Whether a deadline is to be enforced by now, or to be moved by an outage."""
    if game.deadline is None:
        return False
    return play.is_due(game, stamp(now)) or bool(expiry.outages_to_credit(game, await engine.outage_monitor.outages()))


async def enforce(engine: Engine, game_id: UUID, deadline: str, now: datetime) -> CommandResult | None:
    """Enforce this deadline, or move it if there were outages since it was set. None: the game has another deadline.

    The idempotency key is made of the deadline, so that it happens once, however many processes try.
    """
    outages, began = await engine.outage_monitor.outages(), perf_counter()

    def decide(game: GameState, moment: Moment) -> Draft:
        if game.deadline != deadline:
            raise Refused("too_late")  # a refusal leaves the key unused
        credited = expiry.credit_outages(game, outages, moment)
        return credited if credited.facts else expiry.expire(game, moment)

    try:
        done = await engine.submit(game_id, decide, now, _service_caller(f"expire {game_id} {deadline}"))
    except Refused as refused:
        if refused.code != "too_late":
            raise
        return None
    if not done.is_replay and done.events and done.events[0].type == "time_ran_out":
        shared_counters.DEADLINE_LATENESS.count((now - moment_of(deadline)).total_seconds() + perf_counter() - began)
    return done


async def abort_if_abandoned(engine: Engine, game_id: UUID, since: datetime, now: datetime) -> CommandResult:
    """Abort a game that is still open, if nothing has happened in it since then."""

    def decide(game: GameState, moment: Moment) -> Draft:
        is_idle = game.status == OPEN and moment_of(game.at) <= since
        return interventions.abort(game, "abandoned", moment) if is_idle else Draft(game, moment)

    return await engine.submit(game_id, decide, now)


def _service_caller(command: str) -> Caller:
    """The service itself as the caller; the name of the command is its idempotency key."""
    key = sha256(command.encode()).hexdigest()
    return Caller(None, None, key, key.encode()[:32])
