"""The learned weights: the shipped file, the trainer, and the bot that plays with them."""

from hashlib import sha256
from importlib.resources import files
from math import exp
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from games.bots import qwixx_codes as codes
from games.bots.qwixx_table import evaluation_of
from games.bots.qwixx_weights import FILE, SIZE, arranged, packed, unpacked
from games.bots.trainer.compiled import fractions, numbers
from games.bots.trainer.qwixx_learning import train
from games.bots.trainer.qwixx_selfplay import FEATURES, Side, Workspace, is_over, marked, worth
from games.rules.layouts.qwixx_layouts import CLASSIC
from games.rules.registry import RULESETS
from tests.rules.sheet_cases import SheetCase, game

# What `manage.py train_bots` learns from its own seed. After a new training, its hash goes here.
LEARNED = "7b5f6bf39ce5acc36b34ee9782240a80f0afdc33ad115778ff5d21a4cd59755b"
MOST_BYTES = 64 * 1024
WORLD = SheetCase(RULESETS["qwixx"], "classic", -20, 266)


def test_the_shipped_table_is_the_learned_one() -> None:
    assert sha256(files("games.bots").joinpath(FILE).read_bytes()).hexdigest() == LEARNED


def test_shipped_tables_are_small() -> None:
    shipped = [file for file in Path(str(files("games.bots") / "tables")).iterdir() if file.is_file()]
    assert sum(file.stat().st_size for file in shipped) < MOST_BYTES


def test_the_bot_and_the_trainer_compute_the_same_chances() -> None:
    weights = unpacked(files("games.bots").joinpath(FILE).read_bytes())
    room = numbers([0] * FEATURES)
    workspace = Workspace(fractions(weights), room, room.copy())
    compared = 0
    for seed in range(6):
        for step in game(WORLD, 2, seed):
            state, seat = step.after, seed % 2
            evaluation, rows = evaluation_of(state, seat)
            others = evaluation.others[0]
            mine, theirs = Side(rows, state.seat_sheets[seat].penalties), Side(others.rows, others.penalties)
            if not is_over(mine, theirs):
                logit = worth(workspace, mine, theirs, others.turn)
                assert evaluation.chance(rows, mine.penalties) == pytest.approx(1 / (1 + exp(-logit)))
                compared += 1
    assert compared > 100


def test_the_trainer_marks_as_the_rules_do() -> None:
    """In games that the rules played, every mark leads from the code before to the code that the trainer expects."""
    compared = 0
    for seed in range(6):
        for step in game(WORLD, 2, seed):
            for fact in step.facts:
                if type(fact).__name__ == "CellMarked":
                    row = CLASSIC.index[fact.row]
                    before, after = step.before.seat_sheets[fact.seat], step.after.seat_sheets[fact.seat]
                    side = Side(codes.codes_of(before.marks, step.before.closed), before.penalties)
                    assert marked(side, row, fact.number) == codes.codes_of(after.marks, 0)[row]
                    compared += 1
    assert compared > 100


def test_the_same_seed_learns_the_same_table(tmp_path: Path) -> None:
    for name in ("once", "again"):
        call_command("train_bots", games=6, seed=3, to=tmp_path / name)
    once = (tmp_path / "once").read_bytes()
    assert once == (tmp_path / "again").read_bytes() == packed(train(6, 3))
    assert once != packed(train(6, 4))


def test_weights_come_back_from_their_file_as_they_were() -> None:
    rng = Random(1)
    weights = [rng.randrange(-30_000, 30_000) / 2048 for _ in range(SIZE)]
    assert unpacked(packed(weights)) == weights


def test_weights_of_facing_rows_are_antisymmetric() -> None:
    rng = Random(1)
    driver = arranged([rng.random() for _ in range(SIZE)])
    assert all(
        driver.facing[a][b] == -driver.facing[b][a] and driver.across[a][b] == driver.across[b][a]
        for a in range(codes.CODES)
        for b in range(codes.CODES)
    )
