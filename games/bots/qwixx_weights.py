"""The learned Qwixx table: where which part of it lies, how it is kept in a file, how it is laid out for play."""

from array import array
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zlib import compress, decompress

from games.bots.qwixx_codes import CODES

STAGES = 2 * 5 * 4  # closed rows, rows somebody could close, most penalties of anybody
CELLS_A_STEP = 4
STEPS = 2 * 4 * 11 // CELLS_A_STEP + 1  # how much of two pads is gone
PENALTIES = 4
LEADS = 31  # points between two players, by two, as far as it matters
POINTS_A_LEAD = 2

BY_STAGE = 0  # stage, row
BY_STEP = BY_STAGE + STAGES * CODES  # step, row
FACING = BY_STEP + STEPS * CODES  # my row, the same row of the other
ALONG = FACING + CODES * CODES  # two own rows that run the same way, the lower code first
ACROSS = ALONG + CODES * CODES  # two own rows that run against each other, the lower code first
LEAD = ACROSS + CODES * CODES  # stage, lead
PENALTY = LEAD + STAGES * LEADS  # step, own penalties
ROLLER = PENALTY + STEPS * PENALTIES  # stage: what it is worth to roll next
SIZE = ROLLER + STAGES

UNIT = 1 / 2048  # of a logit
FILE = "tables/qwixx.bin"
Square = tuple[tuple[float, ...], ...]


class Table(NamedTuple):
    """The learned weights, laid out for play."""

    by_stage: Square  # stage → row
    by_step: Square  # step → row
    facing: Square  # my row → the same row of another, for me and against him at once
    along: Square  # own row → own row that runs the same way
    across: Square  # own row → own row that runs against it
    lead: Square  # stage → lead
    penalty: Square  # step → own penalties
    roller: tuple[float, ...]  # stage


def packed(weights: list[float]) -> bytes:
    """Two bytes a weight, lowest first, compressed."""
    numbers = array("h", [round(weight / UNIT) for weight in weights])
    if _IS_BIG_ENDIAN:
        numbers.byteswap()
    return compress(numbers.tobytes(), 9)


def unpacked(data: bytes) -> list[float]:
    """
    >>> unpacked(packed([0.0, -1.5, 2.0]))
    [0.0, -1.5, 2.0]
    """
    numbers = array("h", decompress(data))
    if _IS_BIG_ENDIAN:
        numbers.byteswap()
    return [number * UNIT for number in numbers]


_IS_BIG_ENDIAN = array("h", [1]).tobytes()[0] == 0


@cache
def learned() -> Table:
    """The table that comes with the package, read once, like a module."""
    return laid_out(unpacked(files("games.bots").joinpath(FILE).read_bytes()))


def laid_out(weights: Sequence[float]) -> Table:
    def square(start: int, count: int, width: int) -> Square:
        return tuple(tuple(weights[at : at + width]) for at in range(start, start + count * width, width))

    facing, along, across = (square(start, CODES, CODES) for start in (FACING, ALONG, ACROSS))
    return Table(
        square(BY_STAGE, STAGES, CODES),
        square(BY_STEP, STEPS, CODES),
        tuple(tuple(facing[a][b] - facing[b][a] for b in range(CODES)) for a in range(CODES)),
        _mirrored(along),
        _mirrored(across),
        square(LEAD, STAGES, LEADS),
        square(PENALTY, STEPS, PENALTIES),
        tuple(weights[ROLLER : ROLLER + STAGES]),
    )


def _mirrored(square: Square) -> Square:
    """A pair of rows is one pair whichever comes first; the weights have it once."""
    return tuple(tuple(square[min(a, b)][max(a, b)] for b in range(CODES)) for a in range(CODES))
