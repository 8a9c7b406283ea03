"""Lets bots answer: reads what their seats may know, asks their brains, gives their answers. Decides no move itself."""

import asyncio
import hmac
import logging
from collections.abc import Callable
from datetime import datetime
from random import Random
from time import perf_counter
from uuid import UUID

from games import bots
from games.engine.cache import CachedGame
from games.engine.engine import Engine
from games.game import play
from games.game.aggregate import Game
from games.metrics import shared_counters
from games.rules.actions import Action, Request
from games.rules.refused import Refused
from games.timekeeping import deadlines

logger = logging.getLogger(__name__)


async def play_bots(engine: Engine, game_id: UUID, clock: Callable[[], datetime]) -> None:
    """Every bot that the game waits for answers. What opens next is another errand, with a delay of its own."""
    try:
        await deadlines.expire(engine, game_id, clock())
        known = await engine.read(game_id)
        position = known.game.position
        for seat in play.waiting_bots(known.game):
            action = await asyncio.to_thread(decision, known, seat)
            await deadlines.act_for_bot(engine, game_id, seat, Request(action, position.roll, position.phase), clock())
    except Refused as refused:  # somebody was faster, or the game is over
        logger.info("bots of game %s were not needed: %s", game_id, refused.code)


def decision(known: CachedGame, seat: int) -> Action:
    """What the bot in this seat does. One that fails answers with something legal, so that no game hangs on it."""
    game, level, began = known.game, known.game.participants[seat].bot or "", perf_counter()
    try:
        action = bots.choose(level, game.setup.ruleset, game.position, seat, luck(known, seat))
        if game.ruleset.refusal(game.position, seat, action) is None:
            return action
        logger.error("the %s bot in seat %s of %s chose %s, which is not allowed", level, seat, game.id, action)
    except Exception:
        logger.exception("the %s bot in seat %s of %s failed", level, seat, game.id)
    finally:
        shared_counters.BOT_DECISION.count(perf_counter() - began)
    shared_counters.BOT_FAILURES.count()
    return fallback(game, seat)


def fallback(game: Game, seat: int) -> Action:
    """What silence would mean, or else the first thing that is allowed."""
    silence = game.ruleset.phases[game.position.phase].silence
    options = play.options(game, seat)
    return silence if silence in options else options[0]


def luck(known: CachedGame, seat: int) -> Random:
    """From a secret of the bots' own, another for every decision: nobody can foretell a bot, or read dice off it."""
    position = known.game.position
    name = f"{known.game.id}|{position.roll}|{position.phase}|{seat}"
    return Random(hmac.digest(known.bot_secret, name.encode(), "sha256"))  # noqa: S311  (seeded with a secret)
