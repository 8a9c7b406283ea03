"""Reads the printed sheets from `qwixx.json`, once, at import; `docs/add-a-game.md` describes the file."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from games.rules.qwixx_sheets import Clause, QwixxRow, QwixxSheet

Json = Mapping[str, Any]


@cache
def read_layouts() -> Json:
    layouts: Json = json.loads(files(__package__).joinpath("qwixx.json").read_text())
    return layouts


def read_sheet(key: str, layout: Json) -> QwixxSheet:
    """The sheet as its first printing, and all of its printings. Rows that are not given are those of `classic`."""
    rows = tuple(_row(**row) for row in layout.get("rows") or read_layouts()["classic"]["rows"])
    sheet = QwixxSheet(key, rows, layout.get("marks_before_last", 5), layout.get("most_crosses", 12))
    sheet = _with_clauses(sheet, layout.get("clauses", {}))
    printings = {name: _with_clauses(sheet, clauses) for name, clauses in layout.get("printings", {}).items()}
    return replace(next(iter(printings.values()), sheet), printings=printings)


def _row(key: str, numbers: list[int], colours: list[str] | None = None, *, bonus: bool = False) -> QwixxRow:
    """A row in its own colour unless others are given; the last cell's colour is the lock's. A bonus row has none."""
    if bonus:
        return QwixxRow(key, None, tuple(numbers), ("",) * len(numbers))
    colours = colours or [key] * len(numbers)
    return QwixxRow(key, colours[-1], tuple(numbers), tuple(colours))


def _with_clauses(sheet: QwixxSheet, clauses: Json) -> QwixxSheet:
    added = tuple(_clause(sheet, key, printed) for key, printed in clauses.items())
    return replace(sheet, clauses=(*sheet.clauses, *added))


def _clause(sheet: QwixxSheet, key: str, printed: Json) -> Clause:
    """The clause `bonus_rows` is the class `BonusRows` in `games/rules/clauses/bonus_rows.py`."""
    module = import_module(f"games.rules.clauses.{key}")
    clause: Clause = getattr(module, key.title().replace("_", ""))(sheet, **printed)
    return clause


SHEETS: dict[str, QwixxSheet] = {key: read_sheet(key, layout) for key, layout in read_layouts().items()}
CLASSIC = SHEETS["classic"]
