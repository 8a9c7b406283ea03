"""What Celery does for games: sweeps, and errands of bots. Tasks are hints; what is stored says what is to be done."""

import random
from functools import partial
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_init, worker_shutdown, worker_shutting_down
from django.conf import settings

from games import calls, runtime
from games.engine.engine import Engine
from games.game import play
from games.game.aggregate import Game
from games.game.events import Event
from games.live.background_sender import BackgroundSender
from games.live.notifications import OPENERS
from games.timekeeping import bot_turns
from games.timekeeping.sweeper import Sweeper

ERRAND_LASTS_S = 60  # after its delay; from then on the sweeper has long seen to it

sweeper = Sweeper(calls.now, max(settings.BOT_DELAY_S))


@shared_task(name="games.sweep")
def sweep() -> None:
    runtime.call(sweeper.sweep)


@shared_task(name="games.clear_tables")
def clear_tables() -> None:
    runtime.call(sweeper.clear_tables)


@shared_task(name="games.play_bots")
def play_bots(game_id: str) -> None:
    runtime.call(lambda engine: bot_turns.play_bots(engine, UUID(game_id), calls.now))


def send_bots(game_id: str) -> None:
    """Tell the bots of a game that it is their turn, after a moment, as people take one."""
    delay = random.uniform(min(settings.BOT_DELAY_S), max(settings.BOT_DELAY_S))  # noqa: S311  (guards nothing)
    play_bots.apply_async((game_id,), countdown=delay, expires=delay + ERRAND_LASTS_S, retry=False)


errands = BackgroundSender("bots", send_bots)


def told(game: Game, events: tuple[Event, ...]) -> None:
    """The engine's listener: after the commit that makes bots due. It is once per phase that all of them answer."""
    if not OPENERS.isdisjoint([event.type for event in events]) and play.waiting_bots(game):
        errands.put(game.id)


@worker_init.connect
def begin(**_: Any) -> None:
    """A worker keeps the pulse, and sweeps by itself should nobody tell it to."""

    async def stay(engine: Engine) -> None:
        await runtime.start_heartbeat()
        runtime.start_background("sweeper", partial(sweeper.make_up, engine))

    runtime.call(stay)


@worker_shutting_down.connect
def hurry(**_: Any) -> None:
    sweeper.is_ending = True


@worker_shutdown.connect
def end(**_: Any) -> None:
    runtime.end()
