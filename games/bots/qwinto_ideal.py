"""A Qwinto bot that writes a number where it lies evenly between its neighbours on its own sheet."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import product

from games.bots.bot import RandomSource
from games.rules.actions import PASS, Action, Keep, Reroll, Roll, Write
from games.rules.qwinto import COLOURS, SHEETS, QwintoState, Row, WrittenSheet, rolled_sum

LOWEST, HIGHEST = 0, 19  # virtual numbers before the first cell and behind the last
NOTHING = 5.0  # writing nothing in the own turn counts like this distance from the ideal place
FAR = 2.0  # in another seat's turn, a number with a larger distance is not written

Distances = Mapping[str, Sequence[float]]  # row → number → distance from the best cell that allows it


def choose(position: QwintoState, seat: int, options: Sequence[Action], _rng: RandomSource) -> Action:
    written = position.seat_sheets[seat]
    match options[0]:
        case Roll():
            distances = _distances(position.sheet, written, COLOURS)
            throws = [action for action in options if isinstance(action, Roll)]
            return min(throws, key=lambda throw: _expected(distances, throw.dice))
        case Keep():
            distances = _distances(position.sheet, written, tuple(position.dice or ()))
            lies = _nearest(distances, distances, rolled_sum(position))
            return Keep() if lies <= _expected(distances, distances) else Reroll()
    return _write(position, seat, [action for action in options if isinstance(action, Write)])


def _write(position: QwintoState, seat: int, writes: list[Write]) -> Action:
    limit = NOTHING if seat == position.active else FAR
    number, cells = rolled_sum(position), SHEETS[position.sheet].cells
    rows = position.seat_sheets[seat].rows
    best, action = limit, None
    for write in writes:
        cell = cells[write.row][write.column]
        distance = abs(number - ideal(rows[cell.row], cell.place))
        if distance <= best and (action is None or distance < best):
            best, action = distance, write
    return action or PASS


def ideal(row: Row, place: int) -> float:
    """The number that lies evenly between the written numbers on both sides.

    >>> ideal((0, 0, 6, 0, 0, 0, 0, 0, 18), 1)
    4.0
    >>> ideal((0, 0, 6, 0, 0, 0, 0, 0, 18), 5)
    12.0
    """
    left = next((other for other in range(place - 1, -1, -1) if row[other]), -1)
    right = next((other for other in range(place + 1, len(row)) if row[other]), len(row))
    low = row[left] if left >= 0 else LOWEST
    high = row[right] if right < len(row) else HIGHEST
    return low + (high - low) * (place - left) / (right - left)


def _distances(sheet: str, written: WrittenSheet, rows: Sequence[str]) -> Distances:
    return {colour: [_row_distance(sheet, written, colour, number) for number in range(HIGHEST)] for colour in rows}


def _row_distance(sheet: str, written: WrittenSheet, colour: str, number: int) -> float:
    """How far a number is from the best place it may be written in."""
    row = written.rows[COLOURS.index(colour)]
    best = NOTHING
    for cell in SHEETS[sheet].cells[colour].values():
        if fits(row, cell.place, number) and all(written.rows[r][p] != number for r, p in cell.column_mates):
            best = min(best, abs(number - ideal(row, cell.place)))
    return best


def _expected(distances: Distances, dice: Collection[str]) -> float:
    """The average distance of a throw of these dice from an ideal place."""
    return sum(chance * _nearest(distances, dice, number) for number, chance in sums(len(dice)))


def _nearest(distances: Distances, dice: Collection[str], number: int) -> float:
    return min(distances[colour][number] for colour in dice)


def fits(row: Row, place: int, number: int) -> bool:
    """Whether the row still rises with this number at this place."""
    if row[place]:
        return False
    return max(row[:place], default=0) < number and all(not other or other > number for other in row[place + 1 :])


@cache
def sums(dice: int) -> tuple[tuple[int, float], ...]:
    """Every sum of so many dice, and its probability.

    >>> [number for number, chance in sums(2) if chance > 5 / 36]
    [7]
    """
    totals = [sum(faces) for faces in product(range(1, 7), repeat=dice)]
    return tuple((number, totals.count(number) / len(totals)) for number in sorted(set(totals)))
