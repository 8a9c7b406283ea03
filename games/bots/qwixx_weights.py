"""The shape of the learned Qwixx table: where which part of it lies, and how it is kept in a file. No values here."""

from array import array
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
