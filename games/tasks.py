"""What Celery does for games: sweeps, and errands of bots. Tasks are hints; what is stored says what is to be done."""

import random
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_init, worker_shutdown, worker_shutting_down
from django.conf import settings

from games import bot_runner, callers, play, process
from games.engine import Engine
from games.events import Event
from games.game import Game
from games.notices import OPENERS
from games.outbox import Outbox
from games.sweeper import Sweeper

ERRAND_LASTS_S = 60  # after its delay; from then on the sweeper has long seen to it

sweeper = Sweeper(callers.now, max(settings.BOT_DELAY_S))


@shared_task(name="games.sweep")
def sweep() -> None:
    process.call(sweeper.sweep)


@shared_task(name="games.clear_tables")
def clear_tables() -> None:
    process.call(sweeper.clear_tables)


@shared_task(name="games.play_bots")
def play_bots(game_id: str) -> None:
    process.call(lambda engine: bot_runner.play_bots(engine, UUID(game_id), callers.now))


def send_bots(game_id: str) -> None:
    """Tell the bots of a game that it is their turn, after a moment, as people take one."""
    delay = random.uniform(min(settings.BOT_DELAY_S), max(settings.BOT_DELAY_S))  # noqa: S311  (guards nothing)
    play_bots.apply_async((game_id,), countdown=delay, expires=delay + ERRAND_LASTS_S, retry=False)


errands = Outbox("bots", send_bots)


def told(game: Game, events: tuple[Event, ...]) -> None:
    """The engine's listener: after the commit that makes bots due. It is once per phase that all of them answer."""
    if not OPENERS.isdisjoint([event.type for event in events]) and play.waiting_bots(game):
        errands.put(game.id)


@worker_init.connect
def begin(**_: Any) -> None:
    """A worker keeps the pulse, and sweeps by itself should nobody tell it to."""

    async def stay(engine: Engine) -> None:
        await process.keep_pulse()
        process.keep(sweeper.make_up(engine))

    process.call(stay)


@worker_shutting_down.connect
def hurry(**_: Any) -> None:
    sweeper.is_ending = True


@worker_shutdown.connect
def end(**_: Any) -> None:
    process.end()
