"""A die is a function of (seed, game, entropy, roll, name): anyone who has the seed can throw it again (contract 9)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from games.game.values import Value

FACES = 6
BLOCK = 64  # bytes of SHA-256; a seed has 32
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def die(seed: bytes, game: str, entropy: str, roll: int, name: str, faces: int = FACES) -> int:
    """
    >>> die(bytes(32), "g", "e", 1, "white1")
    6
    """
    return _throw(_begun(seed, game, entropy, roll), name, faces)


Begun = tuple[Any, Any]  # the two hashes of an HMAC


def _begun(seed: bytes, game: str, entropy: str, roll: int) -> Begun:
    """HMAC-SHA-256 of all that the dice of one roll have in common: going on from it is a third of doing it anew."""
    key = seed.ljust(BLOCK, b"\0")
    return sha256(key.translate(INNER) + f"{game}|{entropy}|{roll}|".encode()), sha256(key.translate(OUTER))


def _drawn(begun: Begun, rest: bytes) -> bytes:
    inner, outer = begun[0].copy(), begun[1].copy()
    inner.update(rest)
    outer.update(inner.digest())
    drawn: bytes = outer.digest()
    return drawn


def _throw(begun: Begun, name: str, faces: int) -> int:
    limit = 256 - 256 % faces  # bytes above would favour the low faces
    k = 0
    while True:
        drawn = _drawn(begun, f"{name}|{k}".encode())
        if drawn[0] < limit:  # nearly always
            return 1 + drawn[0] % faces
        for byte in drawn:
            if byte < limit:
                return 1 + byte % faces
        k += 1


class DiceSource(Value, frozen=True):
    """The dice of one game. Holds the secret: never stored with the log, never shown before the end."""

    seed: bytes
    game: str
    entropy: str = ""

    def roll(self, number: int, dice: Sequence[str]) -> tuple[int, ...]:
        begun = _begun(self.seed, self.game, self.entropy, number)
        return tuple([_throw(begun, name, FACES) for name in dice])

    def first(self, seats: int) -> int:
        return die(self.seed, self.game, self.entropy, 0, "first", seats) - 1

    def reveal(self) -> str:
        return self.seed.hex()

    def __repr__(self) -> str:
        return f"DiceSource(game={self.game!r})"  # a log line or a traceback must not give the seed away


def commitment(seed: bytes) -> str:
    """What the server promises at creation."""
    return sha256(seed).hexdigest()


def default_client_seed(game: str, player: str) -> str:
    """The seed of a seat that gave none; the server has no choice in it."""
    return sha256(f"{game}|{player}".encode()).hexdigest()[:16]


def mix(client_seeds: Sequence[str]) -> str:
    """The entropy: what the seats gave, in order."""
    return sha256("\n".join(f"{seat}:{seed}" for seat, seed in enumerate(client_seeds)).encode()).hexdigest()
