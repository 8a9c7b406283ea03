"""An operator who plays in seat 1 tries secrets and ids until the dice suit them, and then publishes the commitment."""

from functools import partial
from random import Random
from typing import Any

import pytest

from games.game.decisions import interventions, lobby, play
from games.game.dice import default_client_seed
from games.rules.actions import Request, Roll
from tests.builders import ANN, BEN, GameDriver
from tests.laws.expected_dice import by_hand, entropy_by_hand
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import chained_again, export, read, written

GAMES = 250
CHANCE = 1 / 72  # one of two seats is first, and rolls two sixes


class Operator:
    """Creates games for Ann with a secret and an id of their choice."""

    def __init__(self, name: str) -> None:
        self.random = Random(name)

    def create(self, expected: str | None, **settings: Any) -> GameDriver:
        """A game whose dice suit the operator if Ann's client seed will be the expected one; None: the default."""
        while True:
            secret, game_id = self.random.randbytes(32), f"01900000-0000-7000-8000-{self.random.getrandbits(48):012x}"
            seed = default_client_seed(game_id, ANN) if expected is None else expected
            if suits(secret, game_id, seed):
                return GameDriver(secret=secret, game_id=game_id, bots=("expert",), **settings)


def suits(secret: bytes, game_id: str, seed: str, own: str = "") -> bool:
    """Whether the operator's seat is first and its first roll has two white sixes."""
    entropy = entropy_by_hand([seed, own])
    return by_hand(secret, game_id, entropy, 0, "first", 2) == 2 and all(
        by_hand(secret, game_id, entropy, 1, die) == 6 for die in ("white1", "white2")
    )


def has_suited(driver: GameDriver) -> bool:
    """The same, of the dice that the game really has."""
    seed = driver.game.participants[0].client_seed
    return suits(driver.secret, driver.game.id, seed)


def test_without_a_late_seed_the_operator_succeeds_in_every_game(verifiers: BothVerifiers) -> None:
    for seed in (None, "my-own-luck"):
        operator = Operator(f"chooses {seed}")
        games = [operator.create(seed, client_seed=seed) for _ in range(10)]
        assert [has_suited(game) for game in games] == [True] * 10
        game = games[0]
        game.do(play.act_for_bot, 1, Request(Roll()))
        assert game.game.position.dice["white"] == [6, 6]
        game.do(interventions.abort, "staff")
        report = verifiers.report(export(game))
        assert report["ok"], "chosen dice cannot be told from others"
        assert "late" not in {each["seed"] for each in report["client_seeds"]}


@pytest.mark.parametrize("expected", [None, "", "my-own-luck"])
def test_with_a_late_seed_the_operator_succeeds_no_more_often_than_by_chance(
    expected: str | None, verifiers: BothVerifiers
) -> None:
    operator, ann = Operator(f"guesses {expected}"), Random("Ann")
    succeeded = 0
    for _ in range(GAMES):
        game = operator.create(expected, client_seed=expected, late_seed=True)
        game.do(lobby.give_seed, ANN, f"{ann.getrandbits(128):032x}")
        succeeded += has_suited(game)
    assert succeeded <= 4 * CHANCE * GAMES  # 3.5 are expected, over 14 come once in 100,000 tries
    game.do(interventions.abort, "staff")
    report = verifiers.report(export(game))
    assert report["client_seeds"] == [{"seat": 0, "seed": "late"}, {"seat": 1, "seed": "bot"}]


class Accomplice:
    """Plays as Ben in seat 1, knows the secret, and chooses their own client seed."""

    def __init__(self, name: str) -> None:
        self.random = Random(name)

    def suiting_seed(self, game: GameDriver) -> str:
        """A seed with which the dice suit the operator if Ann's seed stays as it is."""
        ann = game.game.participants[0].client_seed
        while True:
            seed = f"{self.random.getrandbits(128):032x}"
            if suits(game.secret, game.game.id, ann, seed):
                return seed


def test_an_accomplice_who_gives_the_last_seed_succeeds_and_the_report_says_whose_came_last(
    verifiers: BothVerifiers,
) -> None:
    """A late seed proves nothing against players who know the secret and act later; the report shows the order."""
    game = GameDriver(secret=b"secret".ljust(32), late_seed=True)
    game.do(partial(lobby.join, late_seed=True), BEN, None)
    game.do(lobby.give_seed, ANN, "a-random-seed-of-Ann")
    seed = Accomplice("last").suiting_seed(game)
    game.do(lobby.give_seed, BEN, seed)
    assert suits(game.secret, game.game.id, "a-random-seed-of-Ann", seed)
    game.do(interventions.abort, "staff")
    report = verifiers.report(export(game))
    assert report["client_seeds"] == [{"seat": 0, "seed": "late"}, {"seat": 1, "seed": "late"}]
    assert report["late_seats"] == [0, 1]


def test_an_accomplice_who_gives_their_seed_before_a_late_one_succeeds_no_more_often_than_by_chance(
    verifiers: BothVerifiers,
) -> None:
    ann, accomplice, succeeded = Random("Ann"), Accomplice("first"), 0
    for number in range(GAMES):
        game = GameDriver(secret=f"secret {number}".encode().ljust(32), late_seed=True)
        game.do(partial(lobby.join, late_seed=True), BEN, None)
        game.do(lobby.give_seed, BEN, accomplice.suiting_seed(game))
        game.do(lobby.give_seed, ANN, f"{ann.getrandbits(128):032x}")
        seeds = [participant.client_seed for participant in game.game.participants]
        succeeded += suits(game.secret, game.game.id, *seeds)
    assert succeeded <= 4 * CHANCE * GAMES
    game.do(interventions.abort, "staff")
    assert verifiers.report(export(game))["late_seats"] == [1, 0]


def late_game(name: str) -> tuple[GameDriver, list[str]]:
    """A game with Ann's late seed, and what Ann noted before she sent it."""
    game = Operator(name).create(None, late_seed=True)
    noted = [game.game.id, game.game.setup.commitment]
    game.do(lobby.give_seed, ANN, "a-random-seed-of-Ann")
    return game, noted


def test_another_secret_after_the_seed_is_found_by_the_noted_commitment(verifiers: BothVerifiers) -> None:
    game, noted = late_game("another secret")
    other = GameDriver(secret=b"chosen afterwards".ljust(32), game_id=game.game.id, bots=("expert",), late_seed=True)
    other.do(lobby.give_seed, ANN, "a-random-seed-of-Ann")
    other.do(interventions.abort, "staff")
    assert verifiers.report(export(other))["ok"]
    report = verifiers.report(export(other), noted)
    assert (report["ok"], report["bad"]["check"]) == (False, "chain")


def test_another_id_after_the_seed_is_found_by_the_noted_id(verifiers: BothVerifiers) -> None:
    game, noted = late_game("another id")
    other_id = f"{game.game.id[:-1]}{'0' if game.game.id[-1] != '0' else '1'}"
    other = GameDriver(secret=game.secret, game_id=other_id, bots=("expert",), late_seed=True)
    other.do(lobby.give_seed, ANN, "a-random-seed-of-Ann")
    other.do(interventions.abort, "staff")
    assert verifiers.report(export(other), noted[1:])["ok"], "the commitment alone is the same"
    assert not verifiers.report(export(other), noted)["ok"]


def test_a_seed_that_the_operator_ignored_is_missing_in_the_report(verifiers: BothVerifiers) -> None:
    game = Operator("ignores").create(None, late_seed=True)
    game.time_out()
    assert has_suited(game)
    game.do(interventions.abort, "staff")
    report = verifiers.report(export(game))
    assert (report["ok"], report["client_seeds"][0]) == (True, {"seat": 0, "seed": "default"})


def test_a_seed_that_the_operator_ignored_cannot_be_put_into_the_log_afterwards(verifiers: BothVerifiers) -> None:
    game = Operator("ignores").create(None, late_seed=True)
    game.time_out()
    game.do(interventions.abort, "staff")
    lines = read(export(game))
    lines.insert(4, {**lines[3], "type": "seed_given", "data": {"seat": 0, "client_seed": "a-random-seed-of-Ann"}})
    assert not verifiers.report(written(chained_again(lines)))["ok"]
