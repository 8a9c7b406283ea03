"""Ten further official Qwixx sheets as data, which only the tests register."""

from collections.abc import Iterable, Iterator

import pytest

from games.rules import qwixx_sheets
from games.rules.qwixx_sheets import CLASSIC, FALLING, RISING, QwixxRow, QwixxSheet, row
from tests.rules import clauses

RED, YELLOW, GREEN, BLUE = range(4)
INITIALS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


def _coloured(key: str, numbers: Iterable[int], initials: str) -> QwixxRow:
    return row(key, numbers, [INITIALS[initial] for initial in initials])


def _bonus_row(key: str, numbers: Iterable[int]) -> QwixxRow:
    numbers = tuple(numbers)
    return QwixxRow(key, None, numbers, ("",) * len(numbers))


_RED, _YELLOW, _GREEN, _BLUE = CLASSIC.rows

MIXX_A = QwixxSheet(
    "mixx_a",
    (
        _coloured("red", RISING, "yyybbbgggrr"),
        _coloured("yellow", RISING, "rrggggbbyyy"),
        _coloured("green", FALLING, "bbbyyyrrrgg"),
        _coloured("blue", FALLING, "ggrrrryybbb"),
    ),
)
MIXX_B = QwixxSheet(
    "mixx_b",
    (
        row("red", [10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11]),
        row("yellow", [9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10]),
        row("green", [8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3]),
        row("blue", [5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4]),
    ),
)
BIG_POINTS = QwixxSheet(
    "big_points",
    (_RED, _bonus_row("red_yellow", RISING), _YELLOW, _GREEN, _bonus_row("green_blue", FALLING), _BLUE),
    most_crosses=15,
    clauses=(clauses.BonusRows({1: {0: "red", 2: "yellow"}, 4: {3: "green", 5: "blue"}}),),
)
BONUS_A = QwixxSheet(
    "bonus_a",
    CLASSIC.rows,
    clauses=(
        clauses.BonusBar(
            frozenset(
                (line, column)
                for line, columns in enumerate([(1, 4, 7), (3, 6, 9), (1, 5, 8), (2, 4, 7)])
                for column in columns
            ),
            (RED, YELLOW, GREEN, BLUE, GREEN, RED, BLUE, YELLOW, RED, YELLOW, BLUE, GREEN),
        ),
    ),
)
BONUS_B = QwixxSheet(
    "bonus_b",
    CLASSIC.rows,
    clauses=(
        clauses.Pairs(
            (
                ((YELLOW, 9), (GREEN, 3)),
                ((YELLOW, 5), (BLUE, 5)),
                ((RED, 6), (BLUE, 2)),
                ((RED, 4), (BLUE, 8)),
                ((YELLOW, 1), (GREEN, 7)),
            ),
            (clauses.two_in_fewest, clauses.one_in_each, *[clauses.nothing_now] * 3),
        ),
    ),
)
DOUBLE_A = QwixxSheet("double_a", CLASSIC.rows, 7, 16, (clauses.SecondCrosses(),))
DOUBLE_B = QwixxSheet(
    "double_b",
    CLASSIC.rows,
    7,
    16,
    (clauses.DoubleCells([(1, 3, 7, 9), (1, 3, 7, 9), (2, 4, 6, 8), (2, 4, 6, 8)]),),
)
X_CHANGE = QwixxSheet(
    "x_change",
    CLASSIC.rows,
    clauses=(
        clauses.Swaps([(8, 5), (9, 7), (11, 3), (7, 4), (10, 3), (8, 6), (10, 5), (11, 9), (6, 4)], CLASSIC.rows),
    ),
)
CONNECTED_A = QwixxSheet("connected_a_steps", CLASSIC.rows, clauses=(clauses.Steps([1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1]),))
CONNECTED_B = QwixxSheet(
    "connected_b_chain",
    CLASSIC.rows,
    clauses=(
        clauses.Links(
            [
                *(((RED, column), (YELLOW, column)) for column in (4, 9)),
                *(((YELLOW, column), (GREEN, column)) for column in (1, 6)),
                *(((GREEN, column), (BLUE, column)) for column in (3, 8)),
            ]
        ),
    ),
)

# Each with the lowest and the highest total it can give: four penalties; forced marks may cross a third own lock.
RANGES = {
    MIXX_A: (-20, 266),
    MIXX_B: (-20, 266),
    BIG_POINTS: (-20, 4 * 120),
    BONUS_A: (-20, 4 * 78),
    BONUS_B: (-20, 4 * 78 + 78 + 13),
    DOUBLE_A: (-20, 4 * 136),
    DOUBLE_B: (-20, 2 * 136 + 2 * 105),
    X_CHANGE: (-20, 266),
    CONNECTED_A: (-20, 266 + 66),
    CONNECTED_B: (-20, 266),
}
PRINTED: dict[str, QwixxSheet] = {sheet.key: sheet for sheet in RANGES}


def registered() -> Iterator[None]:
    """While this goes on, the printed sheets are in the registry."""
    with pytest.MonkeyPatch.context() as patch:
        for key, sheet in PRINTED.items():
            patch.setitem(qwixx_sheets.SHEETS, key, sheet)
        yield
