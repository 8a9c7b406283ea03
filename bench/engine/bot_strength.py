"""Strength of the bots in pairings with alternating seats, ties divided, and the time of their decisions."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from bench.report import Line
from games.management.bot_tournament import play
from games.rules.registry import RULESETS

SEED = 2026
MILLISECONDS = {"qwixx": 1.0, "qwinto": 5.0}


class Pairing(NamedTuple):
    """Games of the first bot against the others, and the share that it must win, in per cent."""

    ruleset: str
    bots: tuple[str, ...]
    games: int
    bar: float
    sheet: str = "classic"


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
    *[
        Pairing("qwixx", ("expert", "medium"), 2000, 60, sheet)
        for sheet in RULESETS["qwixx"].sheets
        if sheet != "classic"
    ],
)


class PairingResult(NamedTuple):
    pairing: Pairing
    share: float
    margin: float
    slowest_ms: float  # p99 of the decisions of the slowest bot


def measure() -> Iterator[Line]:
    """Play the pairings, one per processor; each measures its own processor time."""
    slowest_ms = dict.fromkeys(MILLISECONDS, 0.0)
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for pairing, share, margin, milliseconds in pool.map(outcome, PAIRINGS):
            yield Line(f"{pairing.ruleset}: {_title(pairing)}, ± {margin:.1f}", share, "% won", pairing.bar)
            if pairing.sheet == "classic":  # clauses are decided by the rules themselves, which takes longer
                slowest_ms[pairing.ruleset] = max(milliseconds, slowest_ms[pairing.ruleset])
    for ruleset, bar in MILLISECONDS.items():
        what = f"{ruleset}: a bot's decision, p99 of the slowest"
        yield Line(what, slowest_ms[ruleset], "ms", bar, is_ceiling=True)


def outcome(pairing: Pairing) -> PairingResult:
    standings = play(RULESETS[pairing.ruleset], pairing.sheet, pairing.bots, pairing.games, SEED)
    share, margin = standings[0].share
    return PairingResult(pairing, 100 * share, 100 * margin, max(standing.milliseconds(0.99) for standing in standings))


def _title(pairing: Pairing) -> str:
    first, *others = pairing.bots
    opponents = f"v {others[0]}" if len(others) == 1 else f"among {len(others)} {others[0]}s"
    return f"{first} {opponents}" + ("" if pairing.sheet == "classic" else f" on {pairing.sheet}")
