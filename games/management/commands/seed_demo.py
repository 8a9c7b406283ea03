"""Fills a service with demo players, games and reports, and three cheats among them that the signals must find."""

from argparse import ArgumentParser
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import clock
from games.management.demo_games import DemoGame, GameRun, demo_id, in_order, save
from games.results import daily_figures, projector, signals
from players.models import Player
from players.moderation import reports

HONEST = ("Anna", "Ben", "Clara", "David", "Emil", "Frida", "Greta", "Hugo")
CHEATS = ("Ida", "Jon", "Kim", "Leo")  # Ida and Jon arrange games, Kim loses on purpose, Leo is a program
COMPLAINTS = (
    ("Clara", "Jon", "cheating", "Always leaves in games with Ida."),
    ("Emil", "Kim", "cheating", "Lost everything for days, and now wins everything."),
    ("Greta", "Leo", "cheating", "Answers like a clock."),
    ("Ben", "Anna", "deserting", "Left our game."),
)
PERIOD = timedelta(days=6)
REPORTS_AFTER = timedelta(minutes=5)


class Command(BaseCommand):
    help = "Add demo players, finished games, reports and three planted cheats. Not for a service with real players."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="the same seed and end give the same games")
        parser.add_argument(
            "--end", type=date.fromisoformat, help="the day before which they end; default: today (UTC)"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        seed, now = options["seed"], datetime.combine(options["end"] or clock.now().date(), time(), UTC)
        luck = Random(seed)  # noqa: S311  (demo games keep no secret)
        if Player.objects.filter(email=_address("Anna", seed)).exists():
            raise CommandError(f"The demo players of seed {seed} exist already.")
        people = _people(seed, now - PERIOD, luck)
        games = planned(people)
        step = PERIOD / (len(games) + 1)
        save([tuple(GameRun(game, now - PERIOD + n * step, luck).commands()) for n, game in enumerate(games)])
        for by, about, reason, text in COMPLAINTS:
            reports.report(people[by], people[about], reason, None, text, now - REPORTS_AFTER)
        projector.project_new()
        daily_figures.roll_up(daily_figures.all_days(now.date()))
        signals.find(now)
        self.stdout.write(f"Added {len(people)} players, {len(games)} games and {len(COMPLAINTS)} reports.")


def _address(name: str, seed: int) -> str:
    return f"{name.lower()}.{seed}@demo.invalid"


def _people(seed: int, at: datetime, luck: Random) -> dict[str, UUID]:
    found = {name: demo_id(at, luck) for name in (*HONEST, *CHEATS)}
    rows = [Player(id=pk, name=name, email=_address(name, seed)) for name, pk in found.items()]
    Player.objects.bulk_create(rows)
    Player.objects.filter(pk__in=found.values()).update(created_at=at)
    return found


def planned(people: dict[str, UUID]) -> list[DemoGame]:
    """Friends who always play together, and now and then leave, are honest, too."""
    anna, ben, *others = (people[name] for name in HONEST)
    ida, jon, kim, leo = (people[name] for name in CHEATS)

    def partner(number: int) -> UUID:
        return others[number % len(others)]

    friends = [DemoGame((anna, ben), leaver={2: anna, 5: ben, 8: anna}.get(number)) for number in range(10)]
    honest = [DemoGame((partner(number), partner(number + 1))) for number in range(3)]
    arranged = [DemoGame((ida, jon), leaver=jon) for _ in range(14)]
    lost = [DemoGame((kim, partner(number)), leaver=kim) for number in range(signals.STREAK)]
    won = [DemoGame((kim, partner(number)), leaver=partner(number)) for number in range(signals.STREAK)]
    program = [DemoGame((leo, partner(number)), regular=leo) for number in range(7)]
    groups = {"arranged": arranged, "friends": friends, "honest": honest, "jump": lost + won, "program": program}
    return in_order(groups)
