"""Strength of the bots in pairings with alternating seats, ties divided, and the time of their decisions.

`python -m bench.bot_strength` plays the pairings without servers and also prints the mean times.
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from bench.report import Line
from games.management.tournament import Standing, play
from games.rules.registry import RULESETS

SEED = 2026
MILLISECONDS = {"qwixx": 1.0, "qwinto": 5.0}


class Pairing(NamedTuple):
    """Games of the first bot against the others, and the share that it must win, in per cent."""

    ruleset: str
    bots: tuple[str, ...]
    games: int
    bar: float


FOUR = ("expert", "medium", "medium", "medium")
PAIRINGS = (
    Pairing("qwixx", ("expert", "hard"), 10_000, 52),
    Pairing("qwinto", ("expert", "hard"), 2000, 55),
    Pairing("qwinto", FOUR, 1000, 45),
    Pairing("qwinto", ("expert", "medium"), 2000, 88),
    Pairing("qwinto", ("hard", "medium"), 2000, 80),
    Pairing("qwinto", ("medium", "easy"), 2000, 70),
    Pairing("qwinto", ("easy", "random"), 2000, 90),
    Pairing("qwixx", FOUR, 2000, 45),
    Pairing("qwixx", ("expert", "medium"), 2000, 71),
    Pairing("qwixx", ("hard", "medium"), 2000, 67),
    Pairing("qwixx", ("medium", "easy"), 2000, 70),
    Pairing("qwixx", ("easy", "random"), 2000, 90),
)


class Outcome(NamedTuple):
    pairing: Pairing
    share: float
    margin: float
    times: dict[str, tuple[float, float]]  # bot → mean and p99 of its decisions, in milliseconds


def measure() -> list[Line]:
    outcomes = _outcomes()
    lines = [
        Line(f"{pairing.ruleset}: {_title(pairing)}, ± {margin:.1f}", share, "% won", pairing.bar)
        for pairing, share, margin, _ in outcomes
    ]
    for ruleset, bar in MILLISECONDS.items():
        slowest = max(
            p99 for pairing, _, _, times in outcomes if pairing.ruleset == ruleset for _, p99 in times.values()
        )
        lines.append(Line(f"{ruleset}: a bot's decision, p99 of the slowest", slowest, "ms", bar, is_ceiling=True))
    return lines


def _outcomes() -> list[Outcome]:
    """Play the pairings, longest first, one per processor; each measures its own processor time."""
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        return sorted(pool.map(played, PAIRINGS), key=lambda outcome: outcome.pairing.ruleset)


def played(pairing: Pairing) -> Outcome:
    standings = play(RULESETS[pairing.ruleset], "classic", pairing.bots, pairing.games, SEED)
    share, margin = standings[0].share
    return Outcome(pairing, 100 * share, 100 * margin, {standing.bot: _times(standing) for standing in standings})


def _times(standing: Standing) -> tuple[float, float]:
    return standing.mean_milliseconds, standing.milliseconds(0.99)


def _title(pairing: Pairing) -> str:
    first, *others = pairing.bots
    return f"{first} v {others[0]}" if len(others) == 1 else f"{first} among {len(others)} {others[0]}s"


if __name__ == "__main__":
    for outcome in _outcomes():
        times = ", ".join(f"{bot} {mean:.3f} / {p99:.3f} ms" for bot, (mean, p99) in outcome.times.items())
        print(
            f"{outcome.pairing.ruleset} {_title(outcome.pairing)}: {outcome.share:.1f} ± {outcome.margin:.1f} ({times})"
        )
