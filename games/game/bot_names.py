"""The names that bots are shown with; they follow from the game, so that no event has to store them."""

from typing import Any

NAMES = (
    "Ada", "Ben", "Clara", "Dora", "Emil", "Flora", "Gustav", "Hana", "Igor", "Jana", "Karl", "Lena",
    "Mika", "Nora", "Olga", "Paul", "Rosa", "Sami", "Tilda", "Ugo", "Vera", "Wanda", "Yuri",
)  # fmt: skip
STEP = 5  # between two bots of a game: no divisor of the number of names, so that all are different


def bot_profile(game_id: str, number: int, level: str) -> dict[str, Any]:
    """The `number`th bot of a game: a number stays the same when seats are renumbered at the start."""
    first = int(game_id[-4:], 16)  # random in a UUIDv7
    name = NAMES[(first + STEP * number) % len(NAMES)]
    return {"id": None, "name": f"Bot {name}", "is_guest": False, "is_bot": True, "level": level}
