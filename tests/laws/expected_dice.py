"""Dice, entropy and commitment computed from contract section 9, without code of the service."""

import hashlib
import hmac
from collections.abc import Sequence


def by_hand(seed: bytes, game: str, entropy: str, roll: int, name: str, faces: int = 6) -> int:
    """The first byte that favours no face, of the first block that has one."""
    block = 0
    while True:
        message = "|".join([game, entropy, str(roll), name, str(block)])
        for byte in hmac.new(seed, message.encode("utf-8"), hashlib.sha256).digest():
            if byte < 256 - 256 % faces:
                return 1 + byte % faces
        block += 1


def entropy_by_hand(client_seeds: Sequence[str]) -> str:
    lines = [str(seat) + ":" + client_seed for seat, client_seed in enumerate(client_seeds)]
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def names_and_faces(dice: dict[str, object]) -> list[tuple[str, int]]:
    """Dice as players see them → the name under which each was drawn, and what it showed."""
    pairs: list[tuple[str, int]] = []
    for name, shown in dice.items():
        if isinstance(shown, list) and len(shown) > 1:
            pairs += [(f"{name}{place}", face) for place, face in enumerate(shown, start=1)]
        elif isinstance(shown, list):
            pairs.append((name, shown[0]))
    return pairs
