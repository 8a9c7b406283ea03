"""How strong the bots are: the whole ladder, seats alternating, ties divided; and how long they think. Needs no server.

`python -m bench.ladder` climbs it alone and prints the intervals, too.
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from bench.report import Line
from games.management.bot_tournament import BotScore, play
from games.rules.registry import RULESETS

SEED = 2026
MILLISECONDS = {"qwixx": 1.0, "qwinto": 5.0}


class Rung(NamedTuple):
    """Games of the first bot against the others, and the share of them that it has to win, in per cent."""

    ruleset: str
    bots: tuple[str, ...]
    games: int
    bar: float


FOUR = ("expert", "medium", "medium", "medium")
LADDER = (
    Rung("qwixx", ("expert", "hard"), 10_000, 52),
    Rung("qwinto", ("expert", "hard"), 2000, 55),
    Rung("qwinto", FOUR, 1000, 45),
    Rung("qwinto", ("expert", "medium"), 2000, 88),
    Rung("qwinto", ("hard", "medium"), 2000, 80),
    Rung("qwinto", ("medium", "easy"), 2000, 70),
    Rung("qwinto", ("easy", "random"), 2000, 90),
    Rung("qwixx", FOUR, 2000, 45),
    Rung("qwixx", ("expert", "medium"), 2000, 71),
    Rung("qwixx", ("hard", "medium"), 2000, 67),
    Rung("qwixx", ("medium", "easy"), 2000, 70),
    Rung("qwixx", ("easy", "random"), 2000, 90),
)


class Climbed(NamedTuple):
    rung: Rung
    share: float
    margin: float
    times: dict[str, tuple[float, float]]  # bot → mean and p99 of its decisions, in milliseconds


def measure() -> list[Line]:
    climbed = _climbed()
    lines = [
        Line(f"{rung.ruleset}: {_title(rung)}, ± {margin:.1f}", share, "% won", rung.bar)
        for rung, share, margin, _ in climbed
    ]
    for ruleset, bar in MILLISECONDS.items():
        slowest = max(p99 for rung, _, _, times in climbed if rung.ruleset == ruleset for _, p99 in times.values())
        lines.append(Line(f"{ruleset}: a bot's decision, p99 of the slowest", slowest, "ms", bar, is_ceiling=True))
    return lines


def _climbed() -> list[Climbed]:
    """Longest rungs first, as many at a time as there are processors; each counts its own processor time."""
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        return sorted(pool.map(climb, LADDER), key=lambda climbed: climbed.rung.ruleset)


def climb(rung: Rung) -> Climbed:
    standings = play(RULESETS[rung.ruleset], "classic", rung.bots, rung.games, SEED)
    share, margin = standings[0].share
    return Climbed(rung, 100 * share, 100 * margin, {standing.bot: _times(standing) for standing in standings})


def _times(standing: BotScore) -> tuple[float, float]:
    return standing.mean_milliseconds, standing.milliseconds(0.99)


def _title(rung: Rung) -> str:
    first, *others = rung.bots
    return f"{first} v {others[0]}" if len(others) == 1 else f"{first} among {len(others)} {others[0]}s"


if __name__ == "__main__":
    for climbed in _climbed():
        times = ", ".join(f"{bot} {mean:.3f} / {p99:.3f} ms" for bot, (mean, p99) in climbed.times.items())
        print(f"{climbed.rung.ruleset} {_title(climbed.rung)}: {climbed.share:.1f} ± {climbed.margin:.1f} ({times})")
