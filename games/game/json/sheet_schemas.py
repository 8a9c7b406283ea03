"""The schemas of score pads: as printed, in `GET /rulesets`, and as filled in by a seat, in a game."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from games.game.json import schema_types as t


class PrintedCell(msgspec.Struct):
    """Qwinto prints no numbers, and `bonus` marks its pentagons. In Qwixx, `bonus` marks the cells of a bonus row; the
    colour is empty where a cell has none."""

    number: t.Number | None
    colour: str
    column: t.Column
    bonus: bool


class PrintedRow(msgspec.Struct):
    """`lock` is the colour whose die leaves the game when the row is closed; null where there is none."""

    key: t.RowKey
    lock: t.Colour | None
    cells: list[PrintedCell]


class TrackField(msgspec.Struct):
    """A field of a bonus bar has a `colour`, a pair of numbers to swap has `numbers`."""

    colour: t.Colour | UnsetType = UNSET
    numbers: Annotated[list[t.Number], t.schema(minItems=2, maxItems=2)] | UnsetType = UNSET


class BonusRow(msgspec.Struct):
    """The index of a bonus row, and of the rows above and below it."""

    row: t.Count
    neighbours: list[t.Count]


class PrintedExtra(msgspec.Struct):
    """What a sheet prints beyond its rows: special `cells`; `links` of two cells each, and what each does; bonus rows;
    a `track` of fields that are used in order."""

    key: str
    cells: list[t.Place] | UnsetType = UNSET
    links: list[list[t.Place]] | UnsetType = UNSET
    effects: list[str] | UnsetType = UNSET
    bonus_rows: list[BonusRow] | UnsetType = UNSET
    track: list[TrackField] | UnsetType = UNSET


class Printing(msgspec.Struct):
    """One of several printings of a sheet, of which the seats of a game have different ones."""

    key: str
    extras: list[PrintedExtra]


class PenaltyBoxes(msgspec.Struct):
    """How many boxes there are, and the points of each that is crossed; the last one ends the game."""

    points: Annotated[int, t.schema(maximum=0)]
    boxes: t.Count


class QwixxScore(msgspec.Struct):
    """The points of a row by its crosses: `crosses[3]` for three."""

    crosses: list[t.Count]


class QwintoScore(msgspec.Struct):
    """The points of a number, and what a full row and a full column of three score."""

    number: int
    full_row: str
    full_column_of_three: str


class PrintedSheet(msgspec.Struct, kw_only=True):
    key: t.SheetKey
    rows: list[PrintedRow]
    clauses: list[str]
    extras: list[PrintedExtra]


class QwixxPrintedSheet(PrintedSheet, kw_only=True):
    """The last number of a row needs `marks_before_last` crosses first."""

    marks_before_last: t.Count
    score: QwixxScore
    penalties: PenaltyBoxes
    printings: list[Printing]


class QwintoPrintedSheet(PrintedSheet, kw_only=True):
    """The printed sheet of Qwinto."""

    score: QwintoScore
    fails: PenaltyBoxes


class AnyRulesetSchema(msgspec.Struct, kw_only=True, tag_field="key"):
    seats: Annotated[list[t.SeatCount], t.schema(minItems=2, maxItems=2, description="The fewest and the most.")]
    dice: list[t.Colour]


class QwixxRuleset(AnyRulesetSchema, kw_only=True, tag="qwixx"):
    """Qwixx, with all that a client needs to draw its sheets."""

    sheets: list[QwixxPrintedSheet]


class QwintoRuleset(AnyRulesetSchema, kw_only=True, tag="qwinto"):
    """Qwinto, with all that a client needs to draw its sheet."""

    sheets: list[QwintoPrintedSheet]


class Extra(msgspec.Struct):
    """The progress of what a sheet prints beyond its rows: how many fields of the track are `used`, which cells are
    crossed `twice`, which links are `done`."""

    key: str
    used: t.Count | UnsetType = UNSET
    twice: list[t.Place] | UnsetType = UNSET
    done: list[t.Count] | UnsetType = UNSET


class AnySheetSchema(msgspec.Struct, kw_only=True, tag_field="ruleset"):
    seat: t.SeatNumber
    points: Annotated[dict[str, int], t.schema(description="Points by row, and their `total`.")]


class QwixxSheetSchema(AnySheetSchema, kw_only=True, tag="qwixx"):
    """The numbers that are crossed in each row, from left to right. `extras` is absent where the sheet prints none, and
    `printing` where all seats have the same sheet."""

    rows: dict[str, list[t.Number]]
    locks: list[t.RowKey]
    penalties: t.Count
    extras: list[Extra] | UnsetType = UNSET
    printing: str | UnsetType = UNSET


class QwintoSheetSchema(AnySheetSchema, kw_only=True, tag="qwinto"):
    """The numbers that are written in each row, by column."""

    rows: dict[str, dict[str, t.Number]]
    fails: t.Count


SheetUnion = QwixxSheetSchema | QwintoSheetSchema
RulesetUnion = QwixxRuleset | QwintoRuleset
