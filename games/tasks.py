"""Celery tasks of games, what commits schedule, and what a worker process starts and stops.

A task that is lost costs time only: the database says what is due, and periodic tasks look there.
"""

import random
import time
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_init, worker_shutdown, worker_shutting_down
from django.conf import settings

from games import clock, runtime
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.event_types import by_name
from games.game.events import Event
from games.live.background_sender import BackgroundSender
from games.log.archive import partitions
from games.matchmaking import tickets
from games.matchmaking.matchmaker import Matchmaker
from games.results import daily_figures, projector, signals
from games.timekeeping import bot_turns
from games.timekeeping.sweeper import Sweeper
from games.webhooks import collector, delivery_queue
from games.webhooks.dispatcher import Dispatcher

EXPIRES_S = 60  # after its delay a task is no longer needed: a periodic task has done its work
RECENT = timedelta(days=1)
COLLECT_ENDED_GAMES_S = 0.5

sweeper = Sweeper(clock.now, max(settings.BOT_DELAY_S))
matchmaker = Matchmaker(runtime.call, runtime.tell_player)
dispatcher = Dispatcher()


@shared_task(name="games.sweep")
def sweep() -> None:
    """Every second: enforce deadlines and play bots whose task was lost."""
    runtime.call(sweeper.sweep)


@shared_task(name="games.abort_abandoned_games")
def abort_abandoned_games() -> None:
    """Every five minutes."""
    runtime.call(sweeper.abort_abandoned_games)


@shared_task(name="games.play_bots")
def play_bots(game_id: str) -> None:
    """After a commit that made bots due."""
    runtime.call(lambda engine: bot_turns.play_bots(engine, UUID(game_id), clock.now))


@shared_task(name="games.match")
def match() -> None:
    """Every second: match waiting players and create their games."""
    matchmaker.sweep(clock.now())


@shared_task(name="games.delete_old_tickets")
def delete_old_tickets() -> None:
    """Every hour."""
    tickets.delete_old(clock.now())


@shared_task(name="games.project_results")
def project_results(*, is_thorough: bool = False) -> None:
    """After a commit that ended a game, and every few seconds: the games of the last day; if thorough, all games."""
    projector.project_new(projector.EVER if is_thorough else clock.now() - RECENT)
    if is_thorough:
        projector.remove_inactive_players()


@shared_task(name="games.roll_up")
def roll_up(*, is_thorough: bool = False) -> None:
    """Every five minutes the days that change; if thorough, which is once a day, every day."""
    today = clock.now().date()
    daily_figures.roll_up(daily_figures.all_days(today) if is_thorough else daily_figures.recent(today))


@shared_task(name="games.find_signals")
def find_signals() -> None:
    """Every night."""
    signals.find(clock.now())


@shared_task(name="games.fill_leaderboard_caches")
def fill_leaderboard_caches() -> None:
    """Every few seconds: the boards that Redis has lost."""
    projector.fill_caches(clock.now().date())


@shared_task(name="games.send_webhooks")
def send_webhooks(*, is_thorough: bool = False) -> None:
    """Every second, for games of the last two days; every minute for all games."""
    collector.collect(_read_log, clock.now(), is_thorough=is_thorough)
    dispatcher.run(clock.now)


def _read_log(game: UUID) -> list[Event]:
    return runtime.call(lambda engine: engine.log(game))


@shared_task(name="games.make_partitions")
def make_partitions() -> None:
    """Every hour: the partitions of the log for the months to come."""
    partitions.make_ahead()


@shared_task(name="games.delete_old_deliveries")
def delete_old_deliveries() -> None:
    """Every hour."""
    delivery_queue.delete_old(clock.now())


def _request_bots(game_id: str) -> None:
    """Bots answer after a delay, as people do."""
    delay = random.uniform(min(settings.BOT_DELAY_S), max(settings.BOT_DELAY_S))  # noqa: S311  (not a secret)
    play_bots.apply_async((game_id,), countdown=delay, expires=delay + EXPIRES_S, retry=False)


def _request_projection() -> None:
    """One task serves all games that end within the wait."""
    time.sleep(COLLECT_ENDED_GAMES_S)
    project_results.apply_async(expires=EXPIRES_S, retry=False)


_bot_requests = BackgroundSender("bots", _request_bots)
_projection_requests = BackgroundSender("results", _request_projection, capacity=1)


def schedule_bots(game: GameState, events: tuple[Event, ...]) -> None:
    """A commit listener: all bots of a game answer in one task per phase."""
    if any(by_name(event.type).opens_phase for event in events) and play.waiting_bots(game):
        _bot_requests.put(game.id)


def schedule_projection(_game: GameState, events: tuple[Event, ...]) -> None:
    """A commit listener: a game that ended or was voided changes results."""
    if any(by_name(event.type).changes_results for event in events):
        _projection_requests.put()


COMMIT_LISTENERS = (schedule_bots, schedule_projection)


@worker_init.connect
def start_worker(**_: Any) -> None:
    """A worker keeps the heartbeat, and sweeps without being asked while no other process does."""

    async def start(engine: Engine) -> None:
        await runtime.start_heartbeat(clock.correct)
        runtime.start_background("sweeper", partial(sweeper.sweep_when_none_has_swept, engine))

    runtime.call(start)


@worker_shutting_down.connect
def stop_sweeping(**_: Any) -> None:
    sweeper.is_stopping = True


@worker_shutdown.connect
def close_worker(**_: Any) -> None:
    runtime.end()
