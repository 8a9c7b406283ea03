"""The score sheet of a seat: every printed cell with its content, for any ruleset."""

from functools import cache
from typing import Any, NamedTuple

from games.game.aggregate import GameState
from games.game.events import Data
from games.rules.registry import RULESETS
from players.admin.texts import EMPTY, label, text

NOT_EXTRA = ("ruleset", "seat", "rows", "points")


class DrawnCell(NamedTuple):
    text: str
    is_filled: bool
    colour: str
    column: int  # from 1, as in CSS grids


@cache
def _printed_rows(ruleset: str, sheet: str) -> dict[str, list[dict[str, Any]]]:
    """The cells of each row, as `GET /rulesets` describes them."""
    described = RULESETS[ruleset].description()["sheets"]
    rows = next(found["rows"] for found in described if found["key"] == sheet)
    return {row["key"]: row["cells"] for row in rows}


def sheet_rows(game: GameState, sheet: Data, name: str) -> Data:
    printed = _printed_rows(game.setup.ruleset, game.setup.sheet)
    rows = [(key, _row_name(key), _cells(printed[key], filled)) for key, filled in sheet["rows"].items()]
    return {
        "name": name,
        "points": text("story.points", sheet["points"]["total"]),
        "rows": rows,
        "extras": _extras(sheet),
    }


def _row_name(key: str) -> str:
    return label(key, "colour")


def _cells(printed: list[dict[str, Any]], filled: Any) -> list[DrawnCell]:
    """`filled` is a list of marked numbers (Qwixx) or a dictionary from column to number (Qwinto)."""
    return [DrawnCell(*_content(cell, filled), cell["colour"], cell["column"] + 1) for cell in printed]


def _content(cell: dict[str, Any], filled: Any) -> tuple[str, bool]:
    if isinstance(filled, dict):
        number = filled.get(str(cell["column"]))
        return ("", False) if number is None else (str(number), True)
    return str(cell["number"]), cell["number"] in filled


def _extras(sheet: Data) -> list[tuple[str, str]]:
    """The parts of a sheet beside rows and points: locks, penalties, failed throws."""
    extras = ((name, value) for name, value in sheet.items() if name not in NOT_EXTRA)
    return [(label(name, "extra"), _value_text(value)) for name, value in extras]


def _value_text(value: Any) -> str:
    return ", ".join(_row_name(row) for row in value) or EMPTY if isinstance(value, list) else str(value)
