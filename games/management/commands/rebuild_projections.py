"""Rebuilds ratings, statistics and leaderboards from the logs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track

from games.results import projector
from games.rules.refused import Refused


class Command(BaseCommand):
    help = "Drop ratings, statistics and leaderboards and rebuild them from the logs, while play goes on."

    def handle(self, *_: Any, **__: Any) -> None:
        console = Console(stderr=True)
        try:
            count = projector.rebuild(lambda steps: track(steps, "Rebuilding", console=console, transient=True))
        except Refused:
            raise CommandError("A log cannot be read from the archive; nothing was changed.") from None
        self.stdout.write(f"Rebuilt from {count} games.")
