"""What Celery does for those who wait; each task is safe to run twice at once, and to be killed anywhere."""

from celery import shared_task

from games import calls
from games.matchmaking import matchmaker, tickets


@shared_task(name="games.match")
def match() -> None:
    """Every second: bring those together who wait for a game."""
    matchmaker.sweep(calls.now())


@shared_task(name="games.tidy_queue")
def tidy_queue() -> None:
    """Every hour: forget tickets that were settled long ago."""
    tickets.tidy(calls.now())
