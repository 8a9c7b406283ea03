"""Dice computed from a seed, compared with the contract and with stored faces."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.game.dice import DiceSource, commitment, default_client_seed, die, mix
from tests.laws.expected_dice import by_hand, entropy_by_hand

SEED = bytes(range(32))
GAME = "01900000-0000-7000-8000-000000000001"
ENTROPY = "8f0a6e1c" * 8
NAMES = ("white1", "white2", "red", "yellow", "green", "blue", "orange", "purple")
# Roll → the faces of all dice by name, in the order above. What was once thrown never changes.
THROWN = {
    1: (6, 4, 1, 3, 5, 2, 5, 6),
    2: (1, 1, 6, 1, 1, 2, 3, 6),
    3: (1, 1, 3, 3, 2, 1, 4, 5),
    4: (2, 3, 2, 3, 2, 5, 1, 4),
    5: (2, 6, 5, 1, 6, 2, 1, 4),
    6: (1, 5, 2, 4, 6, 4, 6, 5),
    7: (1, 5, 2, 4, 3, 5, 5, 2),
    8: (2, 5, 3, 1, 4, 1, 5, 1),
    99: (3, 2, 5, 2, 6, 3, 5, 1),
    1000: (5, 5, 3, 3, 2, 6, 5, 1),
}
FIRSTS = [0, 2, 0, 3, 2]  # of two to six seats


@pytest.mark.parametrize("roll", THROWN)
def test_dice_of_a_seed_never_change(roll: int) -> None:
    assert DiceSource(SEED, GAME, ENTROPY).roll(roll, NAMES) == THROWN[roll]


@pytest.mark.parametrize("roll", THROWN)
def test_the_stored_faces_follow_from_the_contract(roll: int) -> None:
    assert tuple(by_hand(SEED, GAME, ENTROPY, roll, name) for name in NAMES) == THROWN[roll]


def test_the_first_seat_of_a_seed_never_changes() -> None:
    assert [DiceSource(SEED, GAME, ENTROPY).first(seats) for seats in range(2, 7)] == FIRSTS
    assert [by_hand(SEED, GAME, ENTROPY, 0, "first", seats) - 1 for seats in range(2, 7)] == FIRSTS


@given(
    seed=st.binary(min_size=32, max_size=32),
    game=st.uuids().map(str),
    entropy=st.binary(max_size=32).map(bytes.hex),
    roll=st.integers(0, 500),
    name=st.sampled_from([*NAMES, "first"]),
    faces=st.integers(2, 6),
)
def test_every_die_follows_from_the_contract(
    seed: bytes, game: str, entropy: str, roll: int, name: str, faces: int
) -> None:
    assert die(seed, game, entropy, roll, name, faces) == by_hand(seed, game, entropy, roll, name, faces)


def test_the_choice_of_dice_does_not_change_their_faces() -> None:
    dice_source = DiceSource(SEED, GAME, ENTROPY)
    every = dict(zip(NAMES, dice_source.roll(3, NAMES), strict=True))
    assert dice_source.roll(3, ["purple", "red"]) == (every["purple"], every["red"])


@pytest.mark.parametrize(("faces", "unfair", "last_fair"), [(6, 252, 251), (5, 255, 254), (3, 255, 254)])
def test_bytes_that_would_favour_low_faces_are_skipped(
    monkeypatch: pytest.MonkeyPatch, faces: int, unfair: int, last_fair: int
) -> None:
    monkeypatch.setattr("games.game.dice.hmac_digest", lambda *_: bytes([*range(unfair, 256), last_fair, 0]))
    assert die(SEED, GAME, ENTROPY, 1, "red", faces) == faces


def test_a_block_without_a_fair_byte_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def hmac_digest(_prefix: object, rest: bytes) -> bytes:
        asked.append(rest.decode())
        return bytes([255] * 32 if len(asked) < 3 else [3])

    monkeypatch.setattr("games.game.dice.hmac_digest", hmac_digest)
    assert die(SEED, GAME, ENTROPY, 1, "red") == 4
    assert asked == ["red|0", "red|1", "red|2"]


def test_the_commitment_is_the_hash_of_the_raw_seed() -> None:
    assert commitment(SEED) == sha256(SEED).hexdigest()


def test_the_default_client_seed_is_sixteen_hex_digits_of_game_and_player() -> None:
    assert default_client_seed("g", "p") == sha256(b"g|p").hexdigest()[:16]


@given(st.lists(st.text("abc-_09", max_size=64), min_size=2, max_size=6))
def test_entropy_is_the_hash_of_the_client_seeds_in_order(client_seeds: list[str]) -> None:
    assert mix(client_seeds) == entropy_by_hand(client_seeds)


def test_the_dice_source_hides_its_seed_in_logs_and_tracebacks() -> None:
    dice_source = DiceSource(SEED, GAME, ENTROPY)
    assert repr(dice_source) == str(dice_source) == f"DiceSource(game={GAME!r})"
    assert dice_source.reveal() == SEED.hex()
