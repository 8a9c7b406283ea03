"""Reads a game in the text notation and prints its export, which the verifiers check."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games.game.notation.document import read
from games.game.notation.notation_values import NotationError


class Command(BaseCommand):
    help = "Read a game in the text notation and print its export (NDJSON)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            header, events = read(options["file"].read_text("ascii"))
        except (NotationError, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from None
        for line in (header, *events):
            self.stdout.write(msgspec.json.encode(line).decode())
