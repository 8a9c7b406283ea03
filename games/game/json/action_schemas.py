"""The schemas of actions: one per type, told apart by `type`."""

import msgspec
from msgspec import UNSET, UnsetType

from games.game.json import schema_types as t


class AnyAction(msgspec.Struct, tag_field="type", kw_only=True):
    """`roll` and `phase` name the dice that the action answers; every option carries them."""

    roll: t.Count | UnsetType | None = UNSET
    phase: t.PhaseName | UnsetType | None = UNSET


class RollAction(AnyAction, tag="roll"):
    """Roll the dice. Qwinto: those of the named colours, each once, in any order."""

    dice: list[t.Colour] | UnsetType = UNSET


class MarkAction(AnyAction, tag="mark"):
    """Qwixx: cross a number out."""

    row: t.RowKey
    number: t.Number


class WriteAction(AnyAction, tag="write"):
    """Qwinto: write the sum of the dice into a cell."""

    row: t.RowKey
    column: t.Column


class PassAction(AnyAction, tag="pass"):
    """Mark or write nothing."""


class KeepAction(AnyAction, tag="keep"):
    """Qwinto: keep the dice as they were rolled."""


class RerollAction(AnyAction, tag="reroll"):
    """Qwinto: roll the same dice once more; the second result counts."""


class ResignAction(AnyAction, tag="resign"):
    """Leave the game for good."""


class ReturnAction(AnyAction, tag="return"):
    """Come back to a game from which this seat is away; every other action does so, too."""


ActionUnion = (
    RollAction | MarkAction | WriteAction | PassAction | KeepAction | RerollAction | ResignAction | ReturnAction
)
