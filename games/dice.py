"""A die is a function of (seed, game, entropy, roll, name): anyone who has the seed can throw it again (contract 9)."""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

FACES = 6


def die(seed: bytes, game: str, entropy: str, roll: int, name: str, faces: int = FACES) -> int:
    """
    >>> die(bytes(32), "g", "e", 1, "white1")
    6
    """
    limit = 256 - 256 % faces  # bytes above would favour the low faces
    k = 0
    while True:
        drawn = hmac.digest(seed, f"{game}|{entropy}|{roll}|{name}|{k}".encode(), "sha256")
        if drawn[0] < limit:  # nearly always
            return 1 + drawn[0] % faces
        for byte in drawn:
            if byte < limit:
                return 1 + byte % faces
        k += 1


class Cup(NamedTuple):
    """The dice of one game. Holds the secret: never stored with the log, never shown before the end."""

    seed: bytes
    game: str
    entropy: str = ""

    def roll(self, number: int, dice: Sequence[str]) -> tuple[int, ...]:
        return tuple([die(self.seed, self.game, self.entropy, number, name) for name in dice])

    def first(self, seats: int) -> int:
        return die(self.seed, self.game, self.entropy, 0, "first", seats) - 1

    def reveal(self) -> str:
        return self.seed.hex()

    def __repr__(self) -> str:
        return f"Cup(game={self.game!r})"  # a log line or a traceback must not give the seed away


def commitment(seed: bytes) -> str:
    """What the server promises at creation."""
    return sha256(seed).hexdigest()


def default_client_seed(game: str, player: str) -> str:
    """The seed of a seat that gave none; the server has no choice in it."""
    return sha256(f"{game}|{player}".encode()).hexdigest()[:16]


def mix(client_seeds: Sequence[str]) -> str:
    """The entropy: what the seats gave, in order."""
    return sha256("\n".join(f"{seat}:{seed}" for seat, seed in enumerate(client_seeds)).encode()).hexdigest()
