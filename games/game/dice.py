"""Dice as a function of (seed, game, entropy, roll, name), so that they can be checked later (contract, section 9)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from games.game.events import Event
from games.game.values import Value
from games.rules.ruleset import in_order

FACES = 6
BLOCK = 64  # bytes of SHA-256; a seed has 32
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def die(seed: bytes, game: str, entropy: str, roll: int, name: str, faces: int = FACES) -> int:
    """
    >>> die(bytes(32), "g", "e", 1, "white1")
    6
    """
    return _face(_hmac_prefix(seed, game, entropy, roll), name, faces)


HmacPrefix = tuple[Any, Any]  # inner and outer hash of an HMAC that is not finished


def _hmac_prefix(seed: bytes, game: str, entropy: str, roll: int) -> HmacPrefix:
    """The part of the HMAC-SHA-256 that the dice of one roll share; reusing it takes a third of the time."""
    key = seed.ljust(BLOCK, b"\0")
    return sha256(key.translate(INNER) + f"{game}|{entropy}|{roll}|".encode()), sha256(key.translate(OUTER))


def hmac_digest(prefix: HmacPrefix, rest: bytes) -> bytes:
    inner, outer = prefix[0].copy(), prefix[1].copy()
    inner.update(rest)
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest


def _face(prefix: HmacPrefix, name: str, faces: int) -> int:
    limit = 256 - 256 % faces  # higher bytes would favour the low faces
    k = 0
    while True:
        digest = hmac_digest(prefix, f"{name}|{k}".encode())
        if digest[0] < limit:  # the fast path: nearly always true
            return 1 + digest[0] % faces
        for byte in digest:
            if byte < limit:
                return 1 + byte % faces
        k += 1


class DiceSource(Value, frozen=True):
    """The dice of one game. Holds the secret seed, which is not in the log before the game is over."""

    seed: bytes
    game: str
    entropy: str = ""

    def roll(self, number: int, dice: Sequence[str]) -> tuple[int, ...]:
        prefix = _hmac_prefix(self.seed, self.game, self.entropy, number)
        return tuple([_face(prefix, name, FACES) for name in dice])

    def first(self, seats: int) -> int:
        return die(self.seed, self.game, self.entropy, 0, "first", seats) - 1

    def printings(self, names: tuple[str, ...], seats: int) -> tuple[str, ...]:
        """The printing of each seat: one draw for seat 0; the other seats have the following ones."""
        if not names:
            return ()
        first = die(self.seed, self.game, self.entropy, 0, "printing", len(names)) - 1
        return in_order(names, seats, first)

    def reveal(self) -> str:
        return self.seed.hex()

    def __repr__(self) -> str:
        return f"DiceSource(game={self.game!r})"  # a log line or a traceback must not show the seed


def commitment(seed: bytes) -> str:
    """The hash of the seed that the server publishes when the game is created."""
    return sha256(seed).hexdigest()


def default_client_seed(game: str, player: str) -> str:
    """The client seed of a seat that gave none; derived, so that the server cannot choose it."""
    return sha256(f"{game}|{player}".encode()).hexdigest()[:16]


def mix(client_seeds: Sequence[str]) -> str:
    """The game's entropy: the hash of all client seeds in the order of seats."""
    return sha256("\n".join(f"{seat}:{seed}" for seat, seed in enumerate(client_seeds)).encode()).hexdigest()


def late_seeds(events: Sequence[Event]) -> list[bool]:
    """Whether the client seed of each seat is late: given by its player after the commitment was published, and not to
    be known before. The default, the empty seed and the seed that the player gave with the creation can be known."""
    known: dict[str, set[str]] = {}  # by player
    taken: dict[int, tuple[str | None, bool]] = {}  # by seat: the player, and whether their seed is late
    for event in events:
        data = event.data
        if event.type == "seat_taken" and data["player"] is not None:
            player, seed, is_creation = data["player"], data["client_seed"], event.at == events[0].at
            predictable = known.setdefault(player, {"", default_client_seed(event.game, player)})
            predictable |= {seed} if is_creation else set()
            taken[data["seat"]] = player, seed not in predictable
        elif event.type == "seat_taken":
            taken[data["seat"]] = None, False
        elif event.type == "seed_given":
            player, _ = taken[data["seat"]]
            taken[data["seat"]] = player, data["client_seed"] not in known[player or ""]
        elif event.type == "seat_left":
            del taken[data["seat"]]
    return [is_late for _, (_, is_late) in sorted(taken.items())]
