"""The sheet of a seat as players see it: every printed cell, and what stands in it; whatever game it is of."""

from functools import cache
from typing import Any, NamedTuple

from games.game.aggregate import Game
from games.game.events import Data
from games.rules.registry import RULESETS
from players.admin.texts import NOTHING, said, worded


class Cell(NamedTuple):
    text: str
    is_filled: bool
    colour: str
    column: int  # from 1, as in a grid


@cache
def _printed(ruleset: str, sheet: str) -> dict[str, list[dict[str, Any]]]:
    """The cells of each row, as `GET /rulesets` describes them."""
    described = RULESETS[ruleset].description()["sheets"]
    rows = next(found["rows"] for found in described if found["key"] == sheet)
    return {row["key"]: row["cells"] for row in rows}


def drawn(game: Game, sheet: Data, name: str) -> Data:
    printed = _printed(game.setup.ruleset, game.setup.sheet)
    rows = [(key, _row_name(key), _cells(printed[key], filled)) for key, filled in sheet["rows"].items()]
    return {
        "name": name,
        "points": said("story.points", sheet["points"]["total"]),
        "rows": rows,
        "extras": _extras(sheet),
    }


def _row_name(key: str) -> str:
    return worded(key, "colour")


def _cells(printed: list[dict[str, Any]], filled: Any) -> list[Cell]:
    """Of Qwixx the numbers that are crossed, of Qwinto what is written in which column."""
    return [Cell(*_content(cell, filled), cell["colour"], cell["column"] + 1) for cell in printed]


def _content(cell: dict[str, Any], filled: Any) -> tuple[str, bool]:
    if isinstance(filled, dict):
        number = filled.get(str(cell["column"]))
        return ("", False) if number is None else (str(number), True)
    return str(cell["number"]), cell["number"] in filled


def _extras(sheet: Data) -> list[tuple[str, str]]:
    """What a pad has beside its rows and points: locks, penalties, failed throws."""
    extras = ((name, value) for name, value in sheet.items() if name not in ("seat", "rows", "points"))
    return [(worded(name, "extra"), _told(value)) for name, value in extras]


def _told(value: Any) -> str:
    return ", ".join(_row_name(row) for row in value) or NOTHING if isinstance(value, list) else str(value)
