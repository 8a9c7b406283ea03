"""What the service itself does to games as time passes, asked by nobody: deadlines, outages, bots, deserted tables."""

from datetime import datetime
from hashlib import sha256
from time import perf_counter
from uuid import UUID

from games import queries
from games.engine.engine import CommandResult, Engine
from games.game import play
from games.game.aggregate import OPEN, Game
from games.game.draft import Draft, Moment
from games.game.events import moment_of, stamp
from games.log.rows import CachedGame, Caller
from games.metrics import shared_counters
from games.rules.actions import Request
from games.rules.refused import Refused


async def act_for_bot(engine: Engine, game_id: UUID, seat: int, request: Request, now: datetime) -> CommandResult:
    """The answer of a bot, once per game, roll, phase and seat. Given by whoever runs the bots, by nobody else."""

    def decide(game: Game, moment: Moment) -> Draft:
        return play.act_for_bot(game, seat, request, moment)

    caller = _service(f"bot {game_id} {request.roll} {request.phase} {seat}")
    return await engine.submit(game_id, decide, now, caller)


async def expire(engine: Engine, game_id: UUID, now: datetime) -> CommandResult:
    """What is to be done by now, for whoever looks: credit outages, and enforce the deadline if it has passed then."""
    known = await engine.read(game_id)
    for _ in range(2):  # what was credited may be over all the same
        if known.game.deadline is None or not await is_overdue(engine, known.game, now):
            break
        await enforce(engine, game_id, known.game.deadline, now)
        known = await engine.read(game_id)
    return CommandResult(known.game, known.code)


async def up_to_date(engine: Engine, game_id: UUID, player: str, now: datetime) -> CachedGame:
    """The game for somebody who looks at it: he sees none that hangs, and no deadline that is still to be moved."""
    known = await queries.visible(engine, game_id, player)
    if await is_overdue(engine, known.game, now):
        await expire(engine, game_id, now)
        return await queries.visible(engine, game_id, player)
    return known


async def is_overdue(engine: Engine, game: Game, now: datetime) -> bool:
    """Is there a deadline to be enforced by now, or to be moved?"""
    if game.deadline is None:
        return False
    return play.is_due(game, stamp(now)) or bool(play.outages_to_credit(game, await engine.outage_monitor.outages()))


async def enforce(engine: Engine, game_id: UUID, deadline: str, now: datetime) -> CommandResult | None:
    """Let this deadline pass, or, if there were outages since it was set, move it. None: it is not the game's any more.

    The key is made of the deadline, so that it happens once, however many try.
    """
    outages, began = await engine.outage_monitor.outages(), perf_counter()

    def decide(game: Game, moment: Moment) -> Draft:
        if game.deadline != deadline:
            raise Refused("too_late")  # nothing is kept under the key of what was not done
        credited = play.credit_outages(game, outages, moment)
        return credited if credited.facts else play.expire(game, moment)

    try:
        done = await engine.submit(game_id, decide, now, _service(f"expire {game_id} {deadline}"))
    except Refused as refused:
        if refused.code != "too_late":
            raise
        return None
    if not done.is_replay and done.events and done.events[0].type == "time_ran_out":
        shared_counters.DEADLINE_LATENESS.count((now - moment_of(deadline)).total_seconds() + perf_counter() - began)
    return done


async def abandon(engine: Engine, game_id: UUID, since: datetime, now: datetime) -> CommandResult:
    """Abort a game that was opened and never started, if nothing has happened in it since then."""

    def decide(game: Game, moment: Moment) -> Draft:
        is_idle = game.status == OPEN and moment_of(game.at) <= since
        return play.abort(game, "abandoned", moment) if is_idle else Draft(game, moment)

    return await engine.submit(game_id, decide, now)


def _service(what: str) -> Caller:
    """The service itself gives this command, and once."""
    key = sha256(what.encode()).hexdigest()
    return Caller(None, None, key, key.encode()[:32])
