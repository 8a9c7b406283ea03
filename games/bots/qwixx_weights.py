"""The learned Qwixx weights: their order in the file, its encoding, and their form for play."""

from array import array
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zlib import compress, decompress

from games.bots.qwixx_codes import CODES

STAGES = 2 * 5 * 4  # closed rows, rows that a player could close, highest number of penalties
CELLS_A_STEP = 4
STEPS = 2 * 4 * 11 // CELLS_A_STEP + 1  # used cells of two sheets
PENALTIES = 4
LEADS = 31  # steps of two points between two players; larger leads count as the last
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


class Weights(NamedTuple):
    """The learned weights, arranged for play."""

    by_stage: Square  # stage → row
    by_step: Square  # step → row
    facing: Square  # my row → the same row of another player, the weights of both combined
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
def learned() -> Weights:
    """The weights of the file in the package, read once."""
    return arranged(unpacked(files("games.bots").joinpath(FILE).read_bytes()))


def arranged(weights: Sequence[float]) -> Weights:
    def square(start: int, count: int, width: int) -> Square:
        return tuple(tuple(weights[at : at + width]) for at in range(start, start + count * width, width))

    facing, along, across = (square(start, CODES, CODES) for start in (FACING, ALONG, ACROSS))
    return Weights(
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
    """Symmetric, because the file has each pair of rows once."""
    return tuple(tuple(square[min(a, b)][max(a, b)] for b in range(CODES)) for a in range(CODES))
