"""Lets bots play each other through the pure rules and prints their results."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.bots import BOTS
from games.management.bot_tournament import BotScore, play
from games.rules.registry import RULESETS
from games.rules.ruleset import AnyRuleset


class Command(BaseCommand):
    help = "Let bots play each other and show scores, shares of wins with 95 % intervals, and time per decision."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", choices=RULESETS, default="qwixx")
        parser.add_argument("--sheet", default="classic")
        parser.add_argument("--bots", default="expert,hard", help="levels separated by commas; `random` is one as well")
        parser.add_argument("--games", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same games")

    def handle(self, *_: Any, **options: Any) -> None:
        ruleset, bots, games = RULESETS[options["ruleset"]], options["bots"].split(","), options["games"]
        _check(ruleset, bots, options)
        console = Console()
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("Playing", total=games)
            scores = play(ruleset, options["sheet"], bots, games, options["seed"], lambda: progress.advance(task))
        console.print(_table(scores, f"{games:,} games of {ruleset.key} on the sheet {options['sheet']}"))


def _check(ruleset: AnyRuleset, bots: list[str], options: dict[str, Any]) -> None:
    known = BOTS[ruleset.key]
    unknown = next((bot for bot in bots if bot not in known), None)
    if unknown is not None:
        raise CommandError(f"No bot is called {unknown!r}; choose from {', '.join(known)}.")
    if len(bots) not in ruleset.seats:
        raise CommandError(f"{ruleset.key} is for {ruleset.seats[0]} to {ruleset.seats[-1]} players.")
    if options["sheet"] not in ruleset.sheets:
        raise CommandError(f"{ruleset.key} has no sheet {options['sheet']!r}; it has {', '.join(ruleset.sheets)}.")
    if options["games"] < 1:
        raise CommandError("At least one game has to be played.")


def _table(scores: list[BotScore], title: str) -> Table:
    table = Table("bot", "wins + ties shared", "95 %", "points", "ms a decision", "p99", title=title)
    for score in scores:
        share, margin = score.share
        table.add_row(
            score.bot,
            f"{share:.1%}",
            f"± {margin:.1%}",
            f"{score.mean_points:.1f}",
            f"{score.mean_milliseconds:.3f}",
            f"{score.milliseconds(0.99):.3f}",
        )
    return table
