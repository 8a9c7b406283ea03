"""Plays games between bots and measures shares of wins, points and processor time per decision."""

import time
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from games.bots import BOTS
from games.management.commands.simulate import RandomCup
from games.rules.actions import Action
from games.rules.playout import playout
from games.rules.ruleset import AnyRuleset

Z_95 = 1.96


class BotScore(NamedTuple):
    """The results of one bot."""

    bot: str
    wins: list[float]  # per game: 1, 0, or its part of a shared first place
    points: list[int]
    seconds: list[float]  # per decision with more than one option

    @property
    def share(self) -> tuple[float, float]:
        """The share of wins, with ties divided, and half of its 95 % interval."""
        spread = stdev(self.wins) if len(self.wins) > 1 else 0.0
        return fmean(self.wins), Z_95 * spread / sqrt(len(self.wins))

    @property
    def mean_points(self) -> float:
        return fmean(self.points)

    @property
    def mean_milliseconds(self) -> float:
        return 1000 * fmean(self.seconds or [0])

    def milliseconds(self, part: float) -> float:
        """The time within which this part of the decisions was made."""
        ordered = sorted(self.seconds) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def play(
    ruleset: AnyRuleset, sheet: str, bots: Sequence[str], games: int, seed: int, each: Callable[[], None] = lambda: None
) -> list[BotScore]:
    """One score per bot, in the order named. Bots move on by a seat from game to game; the first turn is drawn."""
    scores = [BotScore(bot, [], [], []) for bot in bots]
    luck = Random(seed)  # noqa: S311  (not a secret)
    for number in range(games):
        order = [(number + seat) % len(bots) for seat in range(len(bots))]
        _play_one(ruleset, sheet, [scores[index] for index in order], luck)
        each()
    return scores


def _play_one(ruleset: AnyRuleset, sheet: str, seated: list[BotScore], luck: Random) -> None:
    players = [BOTS[ruleset.key][score.bot] for score in seated]
    bot_luck = Random(luck.getrandbits(64))  # noqa: S311

    def choose(state: Any, seat: int, options: Sequence[Action]) -> Action:
        if len(options) == 1:
            return options[0]
        start = time.thread_time()
        action = players[seat](state, seat, options, bot_luck)
        seated[seat].seconds.append(time.thread_time() - start)
        return action

    state = playout(ruleset, sheet, len(seated), luck.randrange(len(seated)), choose, RandomCup(luck))
    totals = [ruleset.points(state, seat)["total"] for seat in range(len(seated))]
    winners = totals.count(max(totals))
    for score, total in zip(seated, totals, strict=True):
        score.points.append(total)
        score.wins.append((total == max(totals)) / winners)
