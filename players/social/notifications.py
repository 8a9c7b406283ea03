"""What players are told while they look elsewhere. How it gets to them is not known here: the games register that."""

from collections.abc import Callable
from typing import Any

Teller = Callable[[str, dict[str, Any]], None]
TELLERS: list[Teller] = []


def tell_player(player_id: str, message: dict[str, Any]) -> None:
    """On the player's `me` streams, wherever they are open; from any thread, after the commit of what it says."""
    for teller in TELLERS:
        teller(player_id, message)
