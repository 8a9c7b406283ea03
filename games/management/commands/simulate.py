"""Plays random games through the pure rules and prints their scores, lengths and endings."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import mean, quantiles
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track
from rich.table import Table

from games.rules.playout import playout
from games.rules.registry import RULESETS
from games.rules.ruleset import AnyRuleset


class RandomCup(NamedTuple):
    """Dice from a seeded generator."""

    luck: Random

    def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.luck.randint(1, 6) for _ in dice)


class SimulatedGame(NamedTuple):
    reason: str
    turns: int
    totals: list[int]


class Command(BaseCommand):
    help = "Play random games through the pure rules and show scores, lengths and endings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", choices=RULESETS, default="qwixx")
        parser.add_argument("--sheet", default="classic")
        parser.add_argument("--players", type=int, default=2)
        parser.add_argument("--games", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same games")

    def handle(self, *_: Any, **options: Any) -> None:
        ruleset = RULESETS[options["ruleset"]]
        _check(ruleset, options)
        luck = Random(options["seed"])  # noqa: S311  (not a secret)
        console = Console()
        rounds = track(range(options["games"]), "Playing", console=console, transient=True)
        games = [_play(ruleset, options["sheet"], options["players"], luck) for _ in rounds]
        what = f"{ruleset.key} on the sheet {options['sheet']}, {options['players']} players"
        console.print(_summary(games, f"{options['games']:,} random games of {what}"))


def _check(ruleset: AnyRuleset, options: dict[str, Any]) -> None:
    if options["sheet"] not in ruleset.sheets:
        raise CommandError(f"{ruleset.key} has no sheet {options['sheet']!r}; it has {', '.join(ruleset.sheets)}.")
    if options["players"] not in ruleset.seats:
        raise CommandError(f"{ruleset.key} is for {ruleset.seats[0]} to {ruleset.seats[-1]} players.")
    if options["games"] < 1:
        raise CommandError("At least one game has to be played.")


def _play(ruleset: AnyRuleset, sheet: str, players: int, luck: Random) -> SimulatedGame:
    first = luck.randrange(players)
    state = playout(
        ruleset, sheet, players, first, lambda _state, _seat, options: luck.choice(options), RandomCup(luck)
    )
    totals = [ruleset.points(state, seat)["total"] for seat in range(players)]
    return SimulatedGame(ruleset.ending(state) or "", state.turn, totals)


def _summary(games: list[SimulatedGame], title: str) -> Table:
    table = Table("", "mean", "lowest", "5 %", "median", "95 %", "highest", title=title)
    for name, values in (
        ("points of a player", [total for game in games for total in game.totals]),
        ("points of the winner", [max(game.totals) for game in games]),
        ("turns", [game.turns for game in games]),
    ):
        table.add_row(name, *_spread(values))
    for reason, count in Counter(game.reason for game in games).most_common():
        table.add_row(f"ended by {reason}", f"{count / len(games):.1%}")
    return table


def _spread(values: list[int]) -> list[str]:
    parts = quantiles(values, n=20, method="inclusive") if len(values) > 1 else values * 19
    return [
        f"{mean(values):.1f}",
        *(f"{value:g}" for value in (min(values), parts[0], parts[9], parts[18], max(values))),
    ]
