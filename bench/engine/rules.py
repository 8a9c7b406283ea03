"""Speed of the pure rules, in processor time: whole random games, and folding events into state."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from random import Random

from bench.engine.seeding import played_log
from bench.report import Line
from games.game import event_types
from games.game.aggregate import created, evolve
from games.management.commands.simulate import RandomCup
from games.rules.playout import playout
from games.rules.qwixx import QWIXX
from games.rules.registry import RULESETS


def per_second(task: Callable[[], int], seconds: float = 1.5) -> float:
    """The sum of what the task returns, a second of processor time: the best of three measurements."""
    task()
    return max(_measured_rate(task, seconds / 3) for _ in range(3))


def _measured_rate(task: Callable[[], int], seconds: float) -> float:
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += task()
    return done / spent


def measure() -> Iterator[Line]:
    for key, ruleset in RULESETS.items():
        luck = Random(1)

        def one_game(ruleset=ruleset, luck=luck) -> int:  # type: ignore[no-untyped-def]
            playout(ruleset, "classic", 2, 0, lambda _s, _n, options: luck.choice(options), RandomCup(luck))
            return 1

        is_qwixx = key == "qwixx"
        bars = (400, 1500) if is_qwixx else (None, None)
        yield Line(f"{key}: random two-player games by the rules", per_second(one_game), "a second", *bars)
        if is_qwixx:
            yield from _other_sheets()
        yield Line(f"{key}: decoded events folded", per_second(_folding(key)), "a second", 100_000, 250_000)


def _other_sheets() -> Iterator[Line]:
    """Random games on each sheet in relation to those on `classic`, measured side by side."""
    classic = per_second(_random_game("classic"))
    for sheet in QWIXX.sheets[1:]:
        ratio = round(per_second(_random_game(sheet)) / classic, 2)
        yield Line(f"qwixx: random games on {sheet}, compared with classic", ratio, "times", 0.5)


def _random_game(sheet: str) -> Callable[[], int]:
    luck = Random(1)

    def one_game() -> int:
        playout(QWIXX, sheet, 2, 0, lambda _state, _seat, options: luck.choice(options), RandomCup(luck))
        return 1

    return one_game


def _folding(ruleset: str) -> Callable[[], int]:
    events = played_log(ruleset, 4, datetime(2026, 1, 1, tzinfo=UTC))
    first, *others = [(event_types.decode(event.type, event.v, event.data), event.version) for event in events]

    def fold_all() -> int:
        game = created("g", first[0])
        for fact, version in others:
            game = evolve(game, fact, version)
        return len(events)

    return fold_all
