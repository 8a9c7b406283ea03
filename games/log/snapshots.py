"""Snapshots: a game's folded state as bytes, stored every 16 versions so that a load reads only the end of the log."""

import zlib
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from games.game.aggregate import GameState
from games.log.append_record import SnapshotRow
from games.rules.registry import RULESETS

EVERY = 16  # versions; a read folds fewer events than that

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(GameState)


def _shapes(kind: Any) -> str:
    """The names and types of every field below a type: a text that changes when, and only when, they do."""
    fields = getattr(kind, "_fields", None) or getattr(kind, "__struct_fields__", None)
    if fields is None:
        inner = ",".join(_shapes(argument) for argument in get_args(kind))
        return f"{get_origin(kind) or kind}[{inner}]" if inner else repr(kind)
    hints = get_type_hints(kind)
    return f"{kind.__name__}({','.join(f'{name}:{_shapes(hints[name])}' for name in fields)})"


# A number that changes with the classes of the state, so that it need not be raised by hand.
STATES = (GameState, *(ruleset.state for ruleset in RULESETS.values()))
SCHEMA = zlib.crc32("".join(_shapes(kind) for kind in STATES).encode()) & 0x7FFF


def encode(game: GameState) -> bytes:
    """About 650 bytes. Compression would save a quarter and take ten times as long as the encoding."""
    return _encoder.encode(game)


def snapshot_after(before: int, game: GameState) -> SnapshotRow | None:
    """The snapshot to store after a command on version `before`; None: the former one is kept.

    The last state of a game is always stored: later reads need nothing else but the log.
    """
    if game.version // EVERY == before // EVERY and not game.is_over:
        return None
    return SnapshotRow(game.version, SCHEMA, encode(game))


def decode(snapshot: SnapshotRow) -> GameState | None:
    """The game; None: the snapshot was written by code with other classes, or is damaged, and the log must be read."""
    if snapshot.schema != SCHEMA:
        return None
    try:
        game = _decoder.decode(snapshot.state)
        position = game.position and msgspec.convert(game.position, game.ruleset.state)
    except (msgspec.MsgspecError, LookupError):
        return None
    return game._replace(position=position)
