"""Plays the turns of bots: reads the position, asks the bot for an action and submits it."""

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
from games.game.aggregate import GameState
from games.game.decisions import play
from games.metrics import shared_counters
from games.rules.actions import Action, Request
from games.rules.refused import Refused
from games.timekeeping import deadlines

logger = logging.getLogger(__name__)


async def play_bots(engine: Engine, game_id: UUID, clock: Callable[[], datetime]) -> None:
    """Answer for every bot that the game waits for. The next phase has a task of its own, with its own delay."""
    try:
        await deadlines.expire(engine, game_id, clock())
        known = await engine.read(game_id)
        position = known.game.position
        for seat in play.waiting_bots(known.game):
            action = await asyncio.to_thread(decision, known, seat)
            await deadlines.act_for_bot(engine, game_id, seat, Request(action, position.roll, position.phase), clock())
    except Refused as refused:  # another process was faster, or the game is over
        logger.info("bots of game %s had no turn: %s", game_id, refused.code)


def decision(known: CachedGame, seat: int) -> Action:
    """The action of the bot in this seat; if the bot fails, a legal default, so that the game goes on."""
    game, level, began = known.game, known.game.participants[seat].bot or "", perf_counter()
    try:
        action = bots.choose(level, game.setup.ruleset, game.position, seat, luck(known, seat))
        if game.ruleset.refusal(game.position, seat, action) is None:
            return action
        logger.error("the %s bot in seat %s of %s chose %s, which is not legal", level, seat, game.id, action)
    except Exception:
        logger.exception("the %s bot in seat %s of %s failed", level, seat, game.id)
    finally:
        shared_counters.BOT_DECISION.count(perf_counter() - began)
    shared_counters.BOT_FAILURES.count()
    return fallback(game, seat)


def fallback(game: GameState, seat: int) -> Action:
    """The action that a passed deadline means, or else the first legal one."""
    silence = game.ruleset.phases[game.position.phase].silence
    options = play.options(game, seat)
    return silence if silence in options else options[0]


def luck(known: CachedGame, seat: int) -> Random:
    """Seeded per decision with a secret of the bots alone, so that it predicts neither bots nor dice."""
    position = known.game.position
    name = f"{known.game.id}|{position.roll}|{position.phase}|{seat}"
    return Random(hmac.digest(known.bot_secret, name.encode(), "sha256"))  # noqa: S311  (seeded with a secret)
