"""Writes the public games that ended in a month to a folder, for anyone to download."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import clock, runtime
from games.log.reads import public_games
from games.management import monthly_dump


class Command(BaseCommand):
    help = "Write the public games that ended in a month as NDJSON, compressed by zstd, and their SHA-256."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", help="such as 2026-01, in UTC")
        parser.add_argument("--folder", type=Path, default=Path("dumps"), help="default: dumps")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            since, before = monthly_dump.month_of(options["month"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        if clock.now() < before + monthly_dump.SETTLED_AFTER:
            raise CommandError(f"The month {options['month']} is not over, so its dump would change.")
        games = public_games.ended(since, before)
        path, count = monthly_dump.write(
            options["folder"], options["month"], games, lambda game: runtime.call(lambda engine: engine.log(game))
        )
        self.stdout.write(f"{count} games in {path}")
