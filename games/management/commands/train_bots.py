"""Trains the table of the Qwixx bot `expert` by self-play; needs no database."""

from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from games import bots
from games.bots.qwixx_weights import FILE, packed
from games.bots.trainer.compiled import IS_COMPILED
from games.bots.trainer.qwixx_learning import GAMES, SEED, train

SHIPPED = Path(bots.__file__).parent / FILE


class Command(BaseCommand):
    help = "Train the table of the Qwixx bot `expert` by self-play: about 4 minutes with numba, hours without."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=GAMES)
        parser.add_argument("--seed", type=int, default=SEED, help="the same seed gives the same table")
        parser.add_argument("--to", type=Path, default=SHIPPED, help="the file to write; default: that of the package")

    def handle(self, *_: Any, **options: Any) -> None:
        if options["games"] < 1:
            raise CommandError("At least one game has to be played.")
        console = Console()
        if not IS_COMPILED:
            console.print("numba is not installed (the extra `trainer`): this takes hours.")
        with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=console) as progress:
            task = progress.add_task("Training", total=options["games"])
            weights = train(options["games"], options["seed"], lambda games: progress.advance(task, games))
        data = packed(weights)
        options["to"].write_bytes(data)
        console.print(f"{len(data):,} bytes in {options['to']}\nsha256 {sha256(data).hexdigest()}")
