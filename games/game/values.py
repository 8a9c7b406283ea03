"""The base class of immutable values; the rules, which use the standard library only, have named tuples instead."""

from typing import Any, Self

import msgspec


class Value(msgspec.Struct, frozen=True):
    """An immutable struct. Most of a command's time goes into creating values, and a struct takes a third of the time
    of a named tuple and a sixth of that of a frozen dataclass (decision 1)."""

    def _replace(self, **changes: Any) -> Self:
        """Like `_replace` of a named tuple, five times faster."""
        return msgspec.structs.replace(self, **changes)

    def _asdict(self) -> dict[str, Any]:
        return msgspec.structs.asdict(self)

    @property
    def __rich_repr__(self) -> Any:
        """Absent, because `rich` would show fields that a `__repr__` hides."""
        raise AttributeError
