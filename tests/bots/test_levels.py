"""A higher level of bot wins more often: short matches with fixed seeds; `make bench` plays long ones."""

from itertools import combinations
from random import Random

import pytest

from games.bots import choose
from games.game.decisions.game_settings import BOT_LEVELS
from games.management.bot_tournament import play
from games.rules.registry import RULESETS
from tests.rules.sheet_cases import SHEET_CASES, SheetCase, game

RUNGS = [
    ("qwixx", "easy,random", 40, 0.75),
    ("qwixx", "medium,easy", 120, 0.58),
    ("qwixx", "hard,medium", 120, 0.58),
    ("qwixx", "expert,medium", 120, 0.6),
    ("qwinto", "easy,random", 30, 0.75),
    ("qwinto", "medium,easy", 40, 0.58),
    ("qwinto", "hard,medium", 20, 0.6),
    ("qwinto", "expert,medium", 20, 0.7),
]


@pytest.mark.parametrize(("ruleset", "bots", "games", "least"), RUNGS)
def test_a_higher_level_wins_more(ruleset: str, bots: str, games: int, least: float) -> None:
    higher, lower = play(RULESETS[ruleset], "classic", bots.split(","), games, seed=1)
    share, _margin = higher.share
    assert share >= least
    assert share + lower.share[0] == pytest.approx(1)


@pytest.mark.parametrize("sheet", RULESETS["qwixx"].sheets)
def test_an_expert_beats_a_medium_on_every_sheet(sheet: str) -> None:
    expert, _medium = play(RULESETS["qwixx"], sheet, ["expert", "medium"], 60, seed=1)
    assert expert.share[0] >= 0.55


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
def test_no_two_levels_decide_alike_on_any_sheet(sheet_case: SheetCase) -> None:
    steps = [step for seed in range(4) for step in game(sheet_case, 2, seed)]
    asked = [*enumerate((step.before, seat) for step in steps for seat in step.answers)]
    chosen = {
        level: [choose(level, sheet_case.ruleset.key, position, seat, Random(at)) for at, (position, seat) in asked]
        for level in BOT_LEVELS
    }
    assert not [pair for pair in combinations(BOT_LEVELS, 2) if chosen[pair[0]] == chosen[pair[1]]]


def test_an_expert_wins_more_than_its_share_against_three_mediums() -> None:
    expert, *_mediums = play(RULESETS["qwixx"], "classic", ["expert", "medium", "medium", "medium"], 60, seed=1)
    assert expert.share[0] >= 0.35
