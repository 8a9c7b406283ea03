"""Checks hash chains, replays games and prints the first bad version of each."""

import asyncio
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from rich.console import Console
from rich.progress import track

from games.log import audit, connections, store
from games.log.archive import read_through
from games.rules.refused import Refused
from games.runtime import conninfo


class Command(BaseCommand):
    help = "Check the hash chain of every game, or of one, replay it and print its first bad version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", type=UUID, help="the id of one game; without it, all games are checked")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            flaws, count = asyncio.run(_verify(options["game"]))
        except connections.LOST as error:
            raise OperationalError(str(error)) from None  # manage.py says what to do
        for flaw in flaws:
            self.stdout.write(flaw)
        if flaws:
            raise CommandError(f"{len(flaws)} of {count} games are not sound.")
        self.stdout.write(f"{count} games are sound.")


async def _verify(game: UUID | None) -> tuple[list[str], int]:
    flaws = []
    async with connections.connected(conninfo()) as connection:
        games = [game] if game else await store.all_games(connection)
        for game_id in track(games, "Verifying", console=Console(stderr=True), transient=True):
            flaw = await _first_flaw(connection, game_id)
            if flaw is not None:
                flaws.append(f"{game_id}: version {flaw[0]}: {flaw[1]}")
    return flaws, len(games)


async def _first_flaw(connection: connections.Connection, game_id: UUID) -> tuple[int, str] | None:
    tip = await store.load(connection, game_id)
    try:
        events = await read_through.events_after(read_through.using(connection), game_id, 0)
    except Refused:
        return 1, "its log cannot be read from the archive"
    if tip is None and not events:
        raise CommandError(f"There is no game {game_id}.")
    return audit.first_flaw(events, tip)
