"""A game's folded state as bytes, kept now and then: a game is read from it and the end of its log. Disposable."""

import zlib
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from games.game.aggregate import Game
from games.log.append import Snapshot
from games.rules.registry import RULESETS

EVERY = 16  # versions: whoever has to read a game reads fewer events than that

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Game)


def _shapes(kind: Any) -> str:
    """The names and types of every field below a type: a text that changes when, and only when, they do."""
    fields = getattr(kind, "_fields", None) or getattr(kind, "__struct_fields__", None)
    if fields is None:
        inner = ",".join(_shapes(argument) for argument in get_args(kind))
        return f"{get_origin(kind) or kind}[{inner}]" if inner else repr(kind)
    hints = get_type_hints(kind)
    return f"{kind.__name__}({','.join(f'{name}:{_shapes(hints[name])}' for name in fields)})"


# A number that follows the classes by itself: nobody has to remember to raise it.
SCHEMA = zlib.crc32("".join(_shapes(kind) for kind in (Game, *(r.state for r in RULESETS.values()))).encode()) & 0x7FFF


def freeze(game: Game) -> bytes:
    """About 650 bytes. Compressing them would save a quarter and take ten times as long as all the rest."""
    return _encoder.encode(game)


def taken(before: int, game: Game) -> Snapshot | None:
    """The snapshot to keep of a game that has come from the version `before`; None: the former one will do.

    The last of a game is always kept: it is all that is ever read of it again, but for its log.
    """
    if game.version // EVERY == before // EVERY and not game.is_over:
        return None
    return Snapshot(game.version, SCHEMA, freeze(game))


def thaw(snapshot: Snapshot) -> Game | None:
    """The game again; None where it was frozen by code of another shape or is damaged: the log is read instead."""
    if snapshot.schema != SCHEMA:
        return None
    try:
        game = _decoder.decode(snapshot.state)
        position = game.position and msgspec.convert(game.position, game.ruleset.state)
    except (msgspec.MsgspecError, LookupError):
        return None
    return game._replace(position=position)
