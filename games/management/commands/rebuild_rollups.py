"""Computes the daily figures of the dashboard again from the games and players."""

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import track

from games import clock
from games.results import daily_figures


class Command(BaseCommand):
    help = "Compute the daily figures of the dashboard again, while play goes on."

    def handle(self, *_: Any, **__: Any) -> None:
        console = Console(stderr=True)
        today = clock.now().date()
        count = daily_figures.rebuild(today, lambda days: track(days, "Rebuilding", console=console, transient=True))
        self.stdout.write(f"Rebuilt the figures of {count} days.")
