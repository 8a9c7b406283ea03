"""Keys with which any player may look at one game that is over, also a private one: its players hand them on."""

import hmac
from base64 import urlsafe_b64encode

from django.utils.crypto import salted_hmac

from games.game.aggregate import GameState

LENGTH = 16  # bytes of the signature


def share_key(game: GameState) -> str:
    """The same for all players of the game; it is stored nowhere."""
    signature = salted_hmac("games.results.share_keys", game.id, algorithm="sha256").digest()
    return urlsafe_b64encode(signature[:LENGTH]).decode().rstrip("=")


def opens(key: str, game: GameState) -> bool:
    return bool(key) and game.is_over and hmac.compare_digest(key.encode(), share_key(game).encode())
