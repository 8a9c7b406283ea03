"""The door by which finished games reach their players' figures: Celery tasks, and a hint after each end."""

import time
from datetime import UTC, datetime, timedelta

from celery import shared_task

from games.calls import now
from games.game.aggregate import Game
from games.game.event_types import by_name
from games.game.events import Event
from games.live.background_sender import BackgroundSender
from games.results import projector

RECENT = timedelta(days=1)  # what is looked through every few seconds; all the rest now and then
EVER = datetime(1970, 1, 1, tzinfo=UTC)
HINT_AFTER_S = 0.5
HINT_LASTS_S = 60  # from then on beat has long asked


@shared_task(name="games.take_in")
def take_in() -> None:
    """As soon as a game has ended: whatever is not taken in yet."""
    projector.take_in(now() - RECENT)


@shared_task(name="games.settle")
def settle(*, is_thorough: bool = False) -> None:
    """Every few seconds: what no hint told of, and what Redis has lost; now and then, really everything."""
    projector.take_in(EVER if is_thorough else now() - RECENT)
    if is_thorough:
        projector.lay_ghosts()
    projector.warm(now().date())


class Hints:
    """At most one in a while: it is carried out at the end of that while, and so for all games that end in it."""

    def __init__(self) -> None:
        self._outbox = BackgroundSender("results", self._send)
        self._sent = float("-inf")

    def give(self, clock_s: float) -> None:
        if clock_s - self._sent >= HINT_AFTER_S:
            self._sent = clock_s
            self._outbox.put()

    def _send(self) -> None:
        take_in.apply_async(countdown=HINT_AFTER_S, expires=HINT_LASTS_S, retry=False)


hints = Hints()


def told(_game: Game, events: tuple[Event, ...]) -> None:
    """The engine's listener, after the commit that ends a game or voids it. Only a hint: beat asks, too."""
    if any(by_name(event.type).changes_results for event in events):
        hints.give(time.monotonic())
